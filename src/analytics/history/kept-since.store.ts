import { type Db, queryRow } from '../../platform/database/db.ts';

/** What the oldest times of some scenes are known by. */
export interface KeptSince {
  /** Before this time only sums of whole quarters of an hour are known; negative infinity: minutes and visits of all times are kept. */
  readonly fineSinceMs: number;
  /** Before this time the minutes of a scene are removed. */
  readonly minutesSinceMs: number;
}

const msOf = (time: Date | null): number => time?.getTime() ?? Number.NEGATIVE_INFINITY;

/** Of the scene that keeps least. */
export async function findKeptSince(db: Db, sceneIds: readonly string[]): Promise<KeptSince> {
  const { minutes, visits } = await queryRow<{ readonly minutes: Date | null; readonly visits: Date | null }>(
    db,
    'SELECT max("minutesSince") AS minutes, max("visitsSince") AS visits FROM "SceneTotals" WHERE "sceneId" = ANY($1::uuid[])',
    [sceneIds],
  );
  const minutesSinceMs = msOf(minutes);
  return { minutesSinceMs, fineSinceMs: Math.max(minutesSinceMs, msOf(visits)) };
}

import type { Db, Tx } from '../../platform/database/db.ts';
import { decodeFeet, encodeFeet, MINUTE_MS } from './encode-feet.ts';
import type { FeetSample } from './run-feet.ts';

/** A sample of where people were that a run has to store. */
export interface SceneFeet {
  readonly sceneId: string;
  readonly feet: FeetSample | null;
}

/** Uses one statement for all scenes. The caller must hold the leases of the runs in this transaction. */
export async function writeFeet(tx: Tx, scenes: readonly SceneFeet[]): Promise<void> {
  const rows = scenes.flatMap(({ sceneId, feet }) =>
    feet === null
      ? []
      : {
          sceneId,
          until: new Date((feet.minute + 1) * MINUTE_MS).toISOString(),
          points: `\\x${encodeFeet(feet.points, feet.minute).toString('hex')}`,
        },
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "SceneFeet" ("sceneId", until, points)
    SELECT "sceneId", until, points FROM jsonb_populate_recordset(NULL::"SceneFeet", ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT ("sceneId") DO UPDATE SET until = excluded.until, points = excluded.points`;
}

/** The sample of a scene; null where there is none. */
export async function loadFeet(db: Db, sceneId: string): Promise<FeetSample | null> {
  const row = await db.sceneFeet.findUnique({ where: { sceneId } });
  return row && sampleOf(row);
}

/** A scene of a user with its sample; null where there is no such scene. */
export async function findSceneFeet(
  db: Db,
  userId: string,
  sceneId: string,
): Promise<{ id: string; config: unknown; sample: FeetSample | null } | null> {
  const scene = await db.scene.findFirst({
    where: { id: sceneId, userId, deletedAt: null },
    select: { id: true, config: true, feet: true },
  });
  return scene && { id: scene.id, config: scene.config, sample: scene.feet && sampleOf(scene.feet) };
}

function sampleOf({ until, points }: { until: Date; points: Uint8Array }): FeetSample {
  const minute = until.getTime() / MINUTE_MS - 1;
  return { minute, points: decodeFeet(points, minute) };
}

/** Removes the samples of scenes. */
export async function eraseFeet(tx: Tx, sceneIds: readonly string[]): Promise<void> {
  await tx.sceneFeet.deleteMany({ where: { sceneId: { in: [...sceneIds] } } });
}

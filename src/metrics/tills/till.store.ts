import { QUARTER_MS } from '../../catalogue/metrics/quarter.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type { TillQuarter } from './run-tills.ts';

/** Quarters of an hour of the tills of a scene that a run has to store. */
export interface SceneTills {
  readonly sceneId: string;
  readonly tills: readonly TillQuarter[];
}

/** Uses one statement for all scenes. The caller must hold the leases of the runs in this transaction. */
export async function writeTills(tx: Tx, scenes: readonly SceneTills[]): Promise<void> {
  const rows = scenes.flatMap(({ sceneId, tills }) =>
    tills.map(({ quarterMs, spans, ...row }) => ({
      ...{ sceneId, ...row, quarter: new Date(quarterMs).toISOString() },
      spans: `\\x${Buffer.from(spans).toString('hex')}`,
    })),
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "TillQuarter" ("sceneId", quarter, "tillId", name, "servingSeconds", "freeSeconds", "closedSeconds", "lostSeconds", spans)
    SELECT "sceneId", quarter, "tillId", name, "servingSeconds", "freeSeconds", "closedSeconds", "lostSeconds", spans
    FROM jsonb_populate_recordset(NULL::"TillQuarter", ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT ("sceneId", quarter, "tillId") DO UPDATE
    SET name = excluded.name, "servingSeconds" = excluded."servingSeconds", "freeSeconds" = excluded."freeSeconds",
        "closedSeconds" = excluded."closedSeconds", "lostSeconds" = excluded."lostSeconds", spans = excluded.spans`;
}

/**
 * The quarters that a run which starts or continues adds to: the current one, and the one before its last frame, because the last
 * states before an outage become final after it.
 * @param frameMs time of the last frame, or now
 */
export async function loadTills(db: Db, sceneId: string, frameMs: number): Promise<TillQuarter[]> {
  const since = new Date(Math.floor(frameMs / QUARTER_MS - 1) * QUARTER_MS);
  const rows = await db.tillQuarter.findMany({ where: { sceneId, quarter: { gte: since } } });
  return rows.map(({ quarter, spans, sceneId: _, ...row }) => ({
    ...{ ...row, quarterMs: quarter.getTime(), spans: spans ?? new Uint8Array() },
  }));
}

const SPANS_AT_ONCE = 5_000;

/** Removes the states by the second of quarters before a time; their sums stay. Those of recordings go with the recording. */
export async function removeOldSpans(db: Db, before: Date): Promise<void> {
  let removed = SPANS_AT_ONCE;
  while (removed === SPANS_AT_ONCE) {
    removed = await db.$executeRaw`
      UPDATE "TillQuarter" SET spans = NULL WHERE ("sceneId", quarter, "tillId") IN (
        SELECT t."sceneId", t.quarter, t."tillId" FROM "TillQuarter" t
        WHERE t.quarter < ${before} AND t.spans IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM "Recording" r WHERE r."sceneId" = t."sceneId")
        LIMIT ${SPANS_AT_ONCE} FOR UPDATE SKIP LOCKED)`;
  }
}

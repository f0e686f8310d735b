import type { Db, Tx } from '../../platform/database/db.ts';
import { removeOld } from '../../platform/database/remove-old.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import type { FloorHour } from './run-floor.ts';

/** Hours of the floor map of a scene that a run has to store. */
export interface SceneFloor {
  readonly sceneId: string;
  readonly floor: readonly FloorHour[];
}

const HOUR_MS = 3_600_000;

/** Uses one statement for all scenes. The caller must hold the leases of the runs in this transaction. */
export async function writeFloor(tx: Tx, scenes: readonly SceneFloor[]): Promise<void> {
  const rows = scenes.flatMap(({ sceneId, floor }) =>
    floor.map(({ hourMs, coveredMs, cells }) => ({
      sceneId,
      hour: new Date(hourMs).toISOString(),
      coveredMs,
      cells: `\\x${Buffer.from(cells).toString('hex')}`,
    })),
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "FloorHour" ("sceneId", hour, "coveredMs", cells)
    SELECT "sceneId", hour, "coveredMs", cells FROM jsonb_populate_recordset(NULL::"FloorHour", ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT ("sceneId", hour) DO UPDATE SET "coveredMs" = excluded."coveredMs", cells = excluded.cells`;
}

/** The hours that a run which starts or continues adds to: the current one and the one before. @param nowMs frame time */
export async function loadFloor(db: Db, sceneId: string, nowMs: number): Promise<FloorHour[]> {
  const since = new Date(Math.floor(nowMs / HOUR_MS - 1) * HOUR_MS);
  const rows = await db.floorHour.findMany({ where: { sceneId, hour: { gte: since } } });
  return rows.map(({ hour, coveredMs, cells }) => ({ hourMs: hour.getTime(), coveredMs, cells }));
}

/** All hours of a scene that begin in the range, joined. */
export async function readFloor(
  db: Db,
  sceneId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ coveredMs: number; cells: Uint8Array }> {
  // Base64 needs a third of the time of a bytea to arrive here.
  const [row] = await db.$queryRaw<[{ coveredMs: number; cells: string | null }]>`
    SELECT coalesce(sum("coveredMs"), 0)::float8 AS "coveredMs", encode(string_agg(cells, ''), 'base64') AS cells
    FROM "FloorHour" WHERE "sceneId" = ${sceneId}::uuid AND hour >= ${from} AND hour < ${to} AND "coveredMs" > 0`;
  return { coveredMs: row.coveredMs, cells: Buffer.from(row.cells ?? '', 'base64') };
}

/** Removes all hours of a scene. */
export async function eraseFloor(tx: Tx, sceneId: string): Promise<void> {
  await tx.floorHour.deleteMany({ where: { sceneId } });
}

/**
 * Removes hours, and samples of feet, before a time. Those of a recording may be long ago from the beginning: they go with the
 * recording.
 */
export async function removeOldHours(db: Db, before: Date): Promise<void> {
  await removeOld(db, { table: 'FloorHour', column: 'hour', before, only: NOT_RECORDED });
  await removeOld(db, { table: 'SceneFeet', column: 'until', before, only: NOT_RECORDED });
}

const NOT_RECORDED = Prisma.sql`NOT EXISTS (SELECT 1 FROM "Recording" r WHERE r."sceneId" = t."sceneId")`;

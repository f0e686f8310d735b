import type { Db } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import { ACTIVE_TASKS } from './states.ts';

/** A node keeps rolling windows of an hour and the floor maps of this hour and the one before. */
const KEPT = Prisma.sql`interval '2 hours'`;

export interface RunWithMemory {
  readonly id: string;
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
}

interface Range {
  readonly from: Date;
  readonly to: Date;
}

interface RememberedRange extends Range {
  readonly userId: string;
  /** Empty: all. */
  readonly deviceIds: readonly string[];
  /** Runs of these scenes count, whatever their time. */
  readonly sceneIds: readonly string[];
}

/**
 * The active runs of cameras that hold something of a range in the memory of their node or in their checkpoint, and would store
 * it later: recent time, and visits that are open since then.
 * @param since runs that were queued after this time, absent: all
 */
export function findRunsWithMemory(
  db: Db,
  { userId, deviceIds, sceneIds, to }: RememberedRange,
  since?: Date,
): Promise<RunWithMemory[]> {
  return db.$queryRaw<RunWithMemory[]>`
    SELECT t.id, t."userId", t."deviceId", t."sceneId" FROM "AnalysisTask" t JOIN "Device" d ON d.id = t."deviceId"
    WHERE t."userId" = ${userId}::uuid AND t.status::text = ANY(${ACTIVE_TASKS}) AND t."startedAt" IS NOT NULL AND d.kind = 'camera'
      AND (${deviceIds.length === 0} OR t."deviceId" = ANY(${[...deviceIds]}::uuid[]))
      AND (${since ?? null}::timestamptz IS NULL OR t."createdAt" > ${since ?? null})
      AND (t."sceneId" = ANY(${[...sceneIds]}::uuid[]) OR coalesce(t."lastFrameAt", t."createdAt") - ${KEPT} < ${to} OR EXISTS (
        SELECT 1 FROM "Visit" v
        WHERE v."sceneId" = t."sceneId" AND v."outcomeDecidedAt" IS NULL
          AND v."arrivalDecidedAt" < ${to}::timestamptz + interval '1 hour'))
    ORDER BY t.id`;
}

/** Removes the checkpoints of runs that ended, if they ran in the range: they have tracks and open visits. */
export async function forgetCheckpoints(
  db: Db,
  { sceneId, from, to }: Range & { sceneId: string },
): Promise<void> {
  await db.$executeRaw`
    UPDATE "AnalysisTask" SET checkpoint = NULL, "checkpointAt" = NULL
    WHERE "sceneId" = ${sceneId}::uuid AND checkpoint IS NOT NULL AND "completedAt" >= ${from} AND "createdAt" < ${to}`;
}

import type { Db } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import { AT_REST } from './states.ts';

/** A device whose schedule is to be looked at. */
export interface DueDevice {
  readonly id: string;
  readonly userId: string;
  readonly schedule: unknown;
}

/**
 * Takes devices whose time has come, for one worker alone. Should it die over them, another one finds them again
 * at `retryAt`.
 */
export function claimDueDevices(
  db: Db,
  { now, retryAt, limit }: { now: Date; retryAt: Date; limit: number },
): Promise<DueDevice[]> {
  return db.$queryRaw<DueDevice[]>`
    UPDATE "Device" SET "nextScheduleAt" = ${retryAt}
    WHERE id IN (
      SELECT id FROM "Device"
      WHERE "deletedAt" IS NULL AND "nextScheduleAt" <= ${now}
      ORDER BY "nextScheduleAt" LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, "userId", schedule`;
}

/** Done until `nextAt`. A schedule that was changed meanwhile is looked at when its owner's change says. */
export async function settleDevice(
  db: Db,
  device: DueDevice,
  retryAt: Date,
  nextAt: Date | null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Device" SET "nextScheduleAt" = ${nextAt}::timestamptz
    WHERE id = ${device.id}::uuid AND "nextScheduleAt" = ${retryAt}`;
}

/** A scene at rest that its schedule wants to run: nobody has ended it by hand since `since`. */
export function scenesToStart(db: Db, deviceId: string, since: Date): Promise<{ id: string }[]> {
  return db.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM "Scene" s
    LEFT JOIN LATERAL (
      SELECT status, "createdAt", "completedAt" FROM "AnalysisTask" t WHERE t."sceneId" = s.id
      ORDER BY "createdAt" DESC LIMIT 1) last ON true
    WHERE s."deviceId" = ${deviceId}::uuid AND s."deletedAt" IS NULL AND s.status = 'active'
      AND s."analysisStatus"::text = ANY(${AT_REST})
      AND (last.status IS NULL OR last.status = 'FAILED' OR last."completedAt" < ${since})
    ORDER BY s."createdAt", s.id`;
}

/** Runs that a schedule ends: those it began itself, and of the others those that are older than the edge. */
export async function runsToStop(db: Db, deviceId: string, edge: Date | null): Promise<string[]> {
  const older = edge ? Prisma.sql`OR "createdAt" < ${edge}` : Prisma.empty;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM "AnalysisTask"
    WHERE "deviceId" = ${deviceId}::uuid AND status IN ('QUEUED', 'PROCESSING') AND "stopRequestedAt" IS NULL
      AND ("startedBy" = 'schedule' ${older})`;
  return rows.map(({ id }) => id);
}

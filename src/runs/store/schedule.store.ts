import type { Db, Tx } from '../../platform/database/db.ts';
import { claim } from '../../platform/jobs/claim.store.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import { ACTIVE_TASKS, AT_REST } from './states.ts';

/** A device whose schedule is due. */
export interface DueDevice {
  readonly id: string;
  readonly userId: string;
  readonly schedule: unknown;
}

/** Claims devices whose schedules are due, for one process alone. If it dies, they are due again at `retryAt`. */
export function claimDueDevices(
  db: Db,
  { now, retryAt, limit }: { now: Date; retryAt: Date; limit: number },
): Promise<DueDevice[]> {
  return claim(db, {
    table: 'Device',
    due: Prisma.sql`w."deletedAt" IS NULL AND w."nextScheduleAt" <= ${now}`,
    order: Prisma.sql`w."nextScheduleAt"`,
    limit,
    set: Prisma.sql`"nextScheduleAt" = ${retryAt}`,
    returning: Prisma.sql`w.id, w."userId", w.schedule`,
  });
}

/** Makes the schedule due again at `nextAt`, unless its owner has changed it meanwhile: that set its own time. */
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

/** The schedule of a device, if it has one, is looked at again at once. */
export async function lookAtSchedule(tx: Tx, deviceId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Device" SET "nextScheduleAt" = clock_timestamp() WHERE id = ${deviceId}::uuid AND schedule IS NOT NULL`;
}

/** The active scenes at rest of a device, except those whose last run ended after `since` without a failure. */
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

/** The active runs that a schedule started, and those that somebody else started before the edge. */
export async function runsToStop(db: Db, deviceId: string, edge: Date | null): Promise<string[]> {
  const older = edge ? Prisma.sql`OR "createdAt" < ${edge}` : Prisma.empty;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM "AnalysisTask"
    WHERE "deviceId" = ${deviceId}::uuid AND status::text = ANY(${ACTIVE_TASKS}) AND "stopRequestedAt" IS NULL
      AND ("startedBy" = 'schedule' ${older})`;
  return rows.map(({ id }) => id);
}

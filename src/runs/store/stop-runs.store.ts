import type { Db, Tx } from '../../platform/database/db.ts';
import { CHANNELS, notify } from '../../platform/database/notify.ts';
import { type AnalysisTask, Prisma, type StopReason } from '../../platform/prisma-client/client.ts';
import { END_TIMES, settleEnded } from './end-runs.store.ts';
import { columnsOf, columnsWhere, SHOWN_RUN, type ShownRun, showRuns } from './run-state.store.ts';
import { ACTIVE_TASKS, MOVES } from './states.ts';

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** The runs of a device that are queued or held by a node, newest first. */
export function findActiveRuns(
  db: Tx,
  { userId, deviceId, sceneId }: { userId: string; deviceId: string; sceneId?: string | undefined },
): Promise<AnalysisTask[]> {
  return db.analysisTask.findMany({
    where: { userId, deviceId, ...(sceneId && { sceneId }), status: { in: [...ACTIVE_TASKS] } },
    orderBy: NEWEST_FIRST,
  });
}

/** @returns the runs, newest first */
export function findRuns(db: Db, ids: readonly string[]): Promise<AnalysisTask[]> {
  return db.analysisTask.findMany({ where: { id: { in: [...ids] } }, orderBy: NEWEST_FIRST });
}

/** Cancels the queued ones of these runs. @returns the ids of the cancelled runs */
export function cancelQueued(
  db: Db,
  ids: readonly string[],
  { reason, reasonText }: { reason: StopReason; reasonText?: string | undefined },
): Promise<string[]> {
  return db.$transaction(async (tx) => {
    const cancelled = await tx.$queryRaw<ShownRun[]>`
      UPDATE "AnalysisTask" t
      SET ${columnsOf(MOVES.queued.stop)}, epoch = epoch + 1, reason = ${reason}::"StopReason",
          "reasonText" = ${reasonText ?? null}, ${END_TIMES}, "updatedAt" = clock_timestamp()
      WHERE id = ANY(${[...ids]}::uuid[]) AND status = 'QUEUED'
      RETURNING ${SHOWN_RUN}`;
    await settleEnded(tx, cancelled);
    return cancelled.map(({ id }) => id);
  });
}

/** Requests a stop of those of these runs that a node holds. A run keeps the reason of its first request. */
export async function requestStop(
  db: Db,
  { ids, deviceId }: { ids: readonly string[]; deviceId: string },
  options: { reason: StopReason; drain: boolean; deadlineSeconds: number },
): Promise<void> {
  const { reason, drain, deadlineSeconds } = options;
  await db.$transaction(async (tx) => {
    const asked = await tx.$queryRaw<ShownRun[]>`
      UPDATE "AnalysisTask" t
      SET "stopRequestedAt" = clock_timestamp(), drain = ${drain}, reason = ${reason}::"StopReason",
          "stopDeadlineAt" = clock_timestamp() + make_interval(secs => ${deadlineSeconds}),
          "updatedAt" = clock_timestamp()
      WHERE id = ANY(${[...ids]}::uuid[]) AND status = 'PROCESSING' AND "stopRequestedAt" IS NULL
      RETURNING ${SHOWN_RUN}`;
    await showRuns(tx, asked);
    await notify(tx, CHANNELS.runs, deviceId);
  });
}

/**
 * Ends runs that their nodes did not stop in time. The new epoch makes later writes of these nodes find no row. A run
 * that its node has released meanwhile is queued and becomes cancelled; one statement decides, so that no claim can come
 * between.
 */
export async function fenceRuns(db: Db, ids: readonly string[], reason: StopReason): Promise<void> {
  const isQueued = Prisma.sql`t.status = 'QUEUED'`;
  await db.$transaction(async (tx) => {
    const fenced = await tx.$queryRaw<ShownRun[]>`
      UPDATE "AnalysisTask" t
      SET ${columnsWhere(isQueued, MOVES.queued.stop, MOVES.running.stop)}, epoch = epoch + 1,
          reason = coalesce(t.reason, ${reason}::"StopReason"), ${END_TIMES}, "updatedAt" = clock_timestamp()
      WHERE id = ANY(${[...ids]}::uuid[]) AND status::text = ANY(${ACTIVE_TASKS})
      RETURNING ${SHOWN_RUN}`;
    await settleEnded(tx, fenced);
  });
}

import type { Db, Tx } from '../platform/database/db.ts';
import type { LastStep } from '../platform/database/last-step.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';
import { isUniqueViolation } from '../platform/database/unique-violation.ts';
import {
  type AnalysisTask,
  Prisma,
  type StartedBy,
  type StopReason,
} from '../platform/prisma-client/client.ts';
import { returnRest } from './meter.store.ts';
import { emitRunEvents } from './run-events.ts';
import { columnsOf, SHOWN_RUN, type ShownRun, showRuns } from './run-state.store.ts';
import { AT_REST, MOVES, SHOWN } from './states.ts';

/** A node is offline when it was not heard of for so long. */
const NODE_SILENT_SECONDS = 30;
/** For so long only the reserved node may claim a new run. */
const RESERVED_SECONDS = 5;

/** Whether any node could take a run now or once it has room. */
export async function isAnyNodeAlive(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ alive: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM "ComputeNode"
      WHERE health <> 'offline' AND NOT "isDraining"
        AND "lastHeartbeatAt" > clock_timestamp() - make_interval(secs => ${NODE_SILENT_SECONDS})) AS alive`;
  return row!.alive;
}

interface ReservedNode {
  readonly id: string;
  readonly averageInitMs: number | null;
  /** Database clock. */
  readonly reservedUntil: Date;
}

/**
 * The node that streams the device already, else the least loaded healthy one with room. Load counts devices:
 * running ones, and those on their way to the node.
 */
async function leastLoadedNode(tx: Tx, deviceId: string): Promise<ReservedNode | null> {
  const [node] = await tx.$queryRaw<ReservedNode[]>`
    SELECT n.id, n."averageInitMs", clock_timestamp() + make_interval(secs => ${RESERVED_SECONDS}) AS "reservedUntil"
    FROM "ComputeNode" n CROSS JOIN LATERAL (
      SELECT count(DISTINCT t."deviceId") AS devices,
             coalesce(bool_or(t."deviceId" = ${deviceId}::uuid), false) AS streams
      FROM "AnalysisTask" t
      WHERE (t.status = 'PROCESSING' AND t."computeNodeId" = n.id)
         OR (t.status = 'QUEUED' AND t."reservedNodeId" = n.id)) load
    WHERE n.health = 'healthy' AND NOT n."isDraining"
      AND n."lastHeartbeatAt" > clock_timestamp() - make_interval(secs => ${NODE_SILENT_SECONDS})
      AND (load.streams OR load.devices < n."maxConcurrentDevices")
    ORDER BY load.streams DESC, load.devices::float8 / n."maxConcurrentDevices", n.id
    LIMIT 1`;
  return node ?? null;
}

/** What starting takes at the nodes that are there and have measured it; null where none has. */
async function usualInitMs(tx: Tx): Promise<number | null> {
  const [row] = await tx.$queryRaw<{ usual: number | null }[]>`
    SELECT round(avg("averageInitMs"))::int AS usual FROM "ComputeNode"
    WHERE "lastHeartbeatAt" > clock_timestamp() - make_interval(secs => ${NODE_SILENT_SECONDS})`;
  return row!.usual;
}

export interface QueuedRun {
  readonly task: AnalysisTask;
  /** Null when every node is full. */
  readonly node: ReservedNode | null;
  /** From the claim to the first frame, as measured at its node, else at the others; null where nothing was measured. */
  readonly initMs: number | null;
}

/**
 * Queues a run, reserves a node for it and tells the nodes, all or nothing.
 * @returns null when the scene is not at rest, active and there any more: somebody else was faster
 */
export async function queueRun(
  db: Db,
  run: { userId: string; deviceId: string; sceneId: string; priority: number; startedBy: StartedBy },
  lastStep?: LastStep<QueuedRun>,
): Promise<QueuedRun | null> {
  const { userId, deviceId, sceneId } = run;
  try {
    return await db.$transaction(async (tx) => {
      // Before the scene: in this order a deletion of the device takes its locks, too.
      await tx.$queryRaw`SELECT 1 FROM "Device" WHERE id = ${deviceId}::uuid FOR KEY SHARE`;
      // The scene's row is the lock of its starts, and the database's clock their order.
      const [free] = await tx.$queryRaw<{ now: Date }[]>`
        WITH free AS (
          SELECT s.id FROM "Scene" s JOIN "Device" d ON d.id = s."deviceId"
          WHERE s.id = ${sceneId}::uuid AND s."userId" = ${userId}::uuid AND s."deviceId" = ${deviceId}::uuid
            AND s."deletedAt" IS NULL AND d."deletedAt" IS NULL AND s.status = 'active'
            AND s."analysisStatus"::text = ANY(${AT_REST})
          FOR NO KEY UPDATE OF s)
        SELECT clock_timestamp() AS now FROM free`;
      if (!free) return null;
      const node = await leastLoadedNode(tx, deviceId);
      const task = await tx.analysisTask.create({
        data: {
          ...run,
          createdAt: free.now,
          reservedNodeId: node?.id ?? null,
          reservedUntil: node?.reservedUntil ?? null,
        },
      });
      await showRuns(tx, [task]);
      await notify(tx, CHANNELS.runs, deviceId);
      const queued = { task, node, initMs: node?.averageInitMs ?? (await usualInitMs(tx)) };
      await lastStep?.(tx, queued);
      return queued;
    });
  } catch (error) {
    // The partial unique index has the last word, whatever the scene's row says.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** The runs of a device that are queued or running, newest first. */
export function findActiveRuns(
  db: Db,
  where: { userId: string; deviceId: string; sceneId?: string | undefined },
): Promise<AnalysisTask[]> {
  const { userId, deviceId, sceneId } = where;
  return db.analysisTask.findMany({
    where: { userId, deviceId, ...(sceneId && { sceneId }), status: { in: ['QUEUED', 'PROCESSING'] } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

export function findRuns(db: Db, ids: readonly string[]): Promise<AnalysisTask[]> {
  return db.analysisTask.findMany({
    where: { id: { in: [...ids] } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/** Ends queued runs of these at once. @returns the ids of those ended */
export function cancelQueued(
  db: Db,
  ids: readonly string[],
  { reason, reasonText }: { reason: StopReason; reasonText?: string | undefined },
): Promise<string[]> {
  return db.$transaction(async (tx) => {
    const cancelled = await tx.$queryRaw<EndedRun[]>`
      UPDATE "AnalysisTask" t
      SET ${columnsOf(MOVES.queued.stop)}, epoch = epoch + 1, reason = ${reason}::"StopReason",
          "reasonText" = ${reasonText ?? null}, "completedAt" = clock_timestamp(),
          "processingTimeMs" = ${ELAPSED_MS}, "updatedAt" = clock_timestamp()
      WHERE id = ANY(${[...ids]}::uuid[]) AND status = 'QUEUED'
      RETURNING ${SHOWN_RUN}`;
    await settleStopped(tx, cancelled);
    return cancelled.map(({ id }) => id);
  });
}

/** Asks the nodes to end running ones of these; the first reason stays. */
export async function askToStop(
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
 * Ends what its node did not end in time, and shuts the node out: whatever it still writes finds an older epoch. A run
 * that its node has just handed back is cancelled. One statement decides which, so a claim cannot come between.
 */
export async function fenceRuns(db: Db, ids: readonly string[], reason: StopReason): Promise<void> {
  const [cancelled, stopped] = [SHOWN[MOVES.queued.stop], SHOWN[MOVES.running.stop]];
  await db.$transaction(async (tx) => {
    const fenced = await tx.$queryRaw<EndedRun[]>`
      UPDATE "AnalysisTask" t
      SET status = (CASE t.status WHEN 'QUEUED' THEN ${cancelled.task} ELSE ${stopped.task} END)::"TaskStatus",
          "runStatus" = (CASE t.status WHEN 'QUEUED' THEN ${cancelled.run} ELSE ${stopped.run} END)::"RunStatus",
          reason = coalesce(t.reason, ${reason}::"StopReason"), epoch = epoch + 1,
          "completedAt" = clock_timestamp(), "processingTimeMs" = ${ELAPSED_MS}, "updatedAt" = clock_timestamp()
      WHERE id = ANY(${[...ids]}::uuid[]) AND status IN ('QUEUED', 'PROCESSING')
      RETURNING ${SHOWN_RUN}`;
    await settleStopped(tx, fenced);
  });
}

/** Milliseconds since the first claim; null when there was none. */
const ELAPSED_MS = Prisma.sql`(extract(epoch FROM clock_timestamp() - "startedAt") * 1000)::int`;

type EndedRun = ShownRun & { readonly id: string };

async function settleStopped(tx: Tx, runs: readonly EndedRun[]): Promise<void> {
  await showRuns(tx, runs);
  const ids = runs.map(({ id }) => id);
  await returnRest(tx, ids);
  await emitRunEvents(tx, 'analysis_stopped', ids);
}

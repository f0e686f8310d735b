import type { Db, Tx } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { CHANNELS, notify } from '../../platform/database/notify.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import type { AnalysisTask, StartedBy } from '../../platform/prisma-client/client.ts';
import { averageInitMs, leastLoadedNode, type ReservedNode } from './nodes.store.ts';
import { showRuns } from './run-state.store.ts';
import { AT_REST } from './states.ts';

export interface WantedRun {
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly priority: number;
  readonly startedBy: StartedBy;
  /** -1 for a recording, before its first frame, whose time is 0; absent for a camera. */
  readonly positionMs?: -1;
}

export interface QueuedRun {
  readonly task: AnalysisTask;
  /** Null when every node is full. */
  readonly node: ReservedNode | null;
  /** Time from claim to first frame as measured by the reserved node, else the mean of all nodes; null before any measurement. */
  readonly initMs: number | null;
}

/**
 * Queues a run, reserves a node for it and notifies the nodes, in one transaction.
 * @returns null when the scene may not be started any more: it is active, not at rest, or deleted
 */
export async function queueRun(
  db: Db,
  run: WantedRun,
  lastStep?: LastStep<QueuedRun>,
): Promise<QueuedRun | null> {
  try {
    return await db.$transaction(async (tx) => {
      const queued = await queueRunIn(tx, run);
      if (queued) await lastStep?.(tx, queued);
      return queued;
    });
  } catch (error) {
    // The partial unique index decides, whatever the scene's row says.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** The same in a transaction that the caller has begun. @throws unique violation when the scene has an active run */
export async function queueRunIn(tx: Tx, run: WantedRun): Promise<QueuedRun | null> {
  const { userId, deviceId, sceneId } = run;
  // The device before the scene: a deletion of the device takes its locks in the same order.
  await tx.$queryRaw`SELECT 1 FROM "Device" WHERE id = ${deviceId}::uuid FOR KEY SHARE`;
  // The scene's row is the lock of its starts, and the database's clock gives their order.
  const [free] = await tx.$queryRaw<{ now: Date; isCamera: boolean }[]>`
        WITH free AS (
          SELECT s.id, d.kind = 'camera' AS "isCamera" FROM "Scene" s JOIN "Device" d ON d.id = s."deviceId"
          WHERE s.id = ${sceneId}::uuid AND s."userId" = ${userId}::uuid AND s."deviceId" = ${deviceId}::uuid
            AND s."deletedAt" IS NULL AND d."deletedAt" IS NULL AND s.status = 'active'
            AND s."analysisStatus"::text = ANY(${AT_REST})
            -- A restart that is under way starts the scene itself.
            AND NOT EXISTS (SELECT 1 FROM "SceneRestart" r WHERE r."sceneId" = s.id)
          FOR NO KEY UPDATE OF s)
        SELECT clock_timestamp() AS now, "isCamera" FROM free`;
  if (!free) return null;
  // A recording goes to whichever node has time for it.
  const node = free.isCamera ? await leastLoadedNode(tx, deviceId) : null;
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
  return { task, node, initMs: node?.averageInitMs ?? (await averageInitMs(tx)) };
}

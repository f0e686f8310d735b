import { setTimeout as pause } from 'node:timers/promises';
import { findDevice } from '../../cameras/devices/device.store.ts';
import { findScene } from '../../cameras/scenes/scene.store.ts';
import { ApiError, notFound } from '../../http/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import type { AnalysisTask } from '../../platform/prisma-client/client.ts';
import { isActive } from '../store/states.ts';
import { cancelQueued, fenceRuns, findActiveRuns, findRuns, requestStop } from '../store/stop-runs.store.ts';
import { cancelStarts } from './restart/restart.store.ts';
import type { StopOptions } from './schema.ts';

/** The time that a node has to store its last rows. Afterwards the run is ended without it. */
const STOP_SECONDS = 5;
const DRAIN_SECONDS = 12;
const POLL_MS = 100;

/**
 * Stops the runs of a device, or of one of its scenes, and waits until they are stopped.
 * @returns the stopped runs, newest first, at least one
 * @throws ApiError NOT_FOUND, NOT_RUNNING
 */
export async function stopAnalysis(
  db: Db,
  { userId, deviceId }: { userId: string; deviceId: string },
  { sceneId, reason, drain }: StopOptions,
): Promise<AnalysisTask[]> {
  if (!(await findDevice(db, userId, deviceId))) throw notFound('Device');
  if (sceneId && !(await findScene(db, userId, sceneId))) throw notFound('Scene', 'sceneId');
  await cancelStarts(db, { userId, deviceId, sceneId });
  const ids = (await findActiveRuns(db, { userId, deviceId, sceneId })).map(({ id }) => id);
  if (ids.length === 0) throw new ApiError('NOT_RUNNING', 'No analysis of this device is queued or running');
  return stopRuns(db, { deviceId, ids }, { reason, drain });
}

/** Stops runs of one device and waits until they have stopped. @returns the runs, newest first */
export async function stopRuns(
  db: Db,
  { deviceId, ids }: { deviceId: string; ids: readonly string[] },
  { reason, drain }: Pick<StopOptions, 'reason' | 'drain'>,
): Promise<AnalysisTask[]> {
  // A node may claim or release a run between the two steps: the next round cancels it or requests its stop.
  const deadlineSeconds = drain ? DRAIN_SECONDS : STOP_SECONDS;
  const deadline = performance.now() + deadlineSeconds * 1000;
  for (;;) {
    await cancelQueued(db, ids, { reason });
    const running = (await findRuns(db, ids)).filter(isActive);
    if (running.length === 0) break;
    if (performance.now() >= deadline) {
      await fenceRuns(db, ids, reason);
      break;
    }
    if (running.some(({ stopRequestedAt }) => stopRequestedAt === null)) {
      await requestStop(db, { ids, deviceId }, { reason, drain, deadlineSeconds });
    }
    await pause(POLL_MS);
  }
  return findRuns(db, ids);
}

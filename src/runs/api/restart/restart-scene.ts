import type { ChangedBy } from '../../../cameras/scenes/configure-scene.ts';
import type { PatchScene } from '../../../cameras/scenes/schema.ts';
import { ApiError, notFound, orNotFound } from '../../../http/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/database/db.ts';
import { type WorkedOff, workOff } from '../../../platform/jobs/work-off.ts';
import type { Scene } from '../../../platform/prisma-client/client.ts';
import { stopRuns } from '../stop-analysis.ts';
import { applyRestart, findRestart, findRestarted, storeRestart, takeRestarts } from './restart.store.ts';

/**
 * Changes a scene. If its analysis is active, the run is stopped and a new one is queued with the change. The wish is stored
 * first, so that a job finishes it if this program or the client goes away.
 * @returns the changed scene @throws ApiError NOT_FOUND, IMMUTABLE_FIELD, SERVICE_UNAVAILABLE
 */
export async function restartScene(
  db: Db,
  own: { userId: string; id: string },
  body: PatchScene,
  by: ChangedBy,
): Promise<Scene> {
  const stored = await storeRestart(db, own, body, by);
  if (stored === 'absent') throw notFound('Scene');
  if (stored !== 'stored') return stored;
  if (await finishRestart(db, own.id)) return orNotFound(await findRestarted(db, own), 'Scene');
  const message = 'The run has not stopped yet: the change is stored and follows without another call';
  throw new ApiError('SERVICE_UNAVAILABLE', message);
}

/**
 * Any number of programs may do this at once: the run to be stopped is named, and the rest is one transaction.
 * @returns false when the run has not stopped in time
 */
async function finishRestart(db: Db, sceneId: string): Promise<boolean> {
  let stopped: string | undefined;
  for (;;) {
    const restart = await findRestart(db, sceneId);
    if (restart === null) return true;
    // Another run than the one just stopped: somebody else has finished that restart, and a later call has stored this one.
    const { deviceId, taskId } = restart;
    if (taskId === stopped) return false;
    await stopRuns(db, { deviceId, ids: [taskId] }, { reason: 'user_request', drain: false });
    stopped = taskId;
    if (await applyRestart(db, restart)) return true;
  }
}

const AT_ONCE = 16;

/** Finishes restarts whose programs have died. */
export const finishRestarts = ({ db, logger }: Pick<Context, 'db' | 'logger'>): Promise<WorkedOff> =>
  workOff({
    atOnce: AT_ONCE,
    claim: (free) => takeRestarts(db, free),
    work: ({ sceneId }) => finishRestart(db, sceneId),
    failed: (err) => logger.warn({ err }, 'a scene could not be started again: trying again in 15 seconds'),
  });

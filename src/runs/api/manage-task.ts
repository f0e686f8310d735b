import { ApiError, notFound, orNotFound } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/database/db.ts';
import type { AnalysisTask } from '../../platform/prisma-client/client.ts';
import { cancelQueued } from '../store/stop-runs.store.ts';
import { findTask, removeTask } from '../store/task.store.ts';

/** @throws ApiError NOT_FOUND, TASK_NOT_CANCELLABLE */
export async function cancelTask(
  db: Db,
  { userId, id }: { userId: string; id: string },
  reasonText: string | undefined,
): Promise<AnalysisTask> {
  if (!(await findTask(db, userId, id))) throw notFound('Task');
  const cancelled = await cancelQueued(db, [id], { reason: 'user_request', reasonText });
  const task = orNotFound(await findTask(db, userId, id), 'Task');
  if (cancelled.length > 0) return task;
  throw new ApiError(
    'TASK_NOT_CANCELLABLE',
    `The task is ${task.status.toLowerCase()}: only a queued task can be cancelled`,
  );
}

/** @throws ApiError NOT_FOUND, TASK_ACTIVE */
export async function deleteTask(
  { db, clock }: Pick<Context, 'clock' | 'db'>,
  userId: string,
  id: string,
): Promise<void> {
  if (await removeTask(db, { userId, id, at: clock.now() })) return;
  if (!(await findTask(db, userId, id))) throw notFound('Task');
  throw new ApiError('TASK_ACTIVE', 'The task is queued or processing: cancel or stop it first');
}

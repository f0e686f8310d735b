import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { countTasks, findTask, listTasks } from '../store/task.store.ts';
import { findConditions } from '../store/waiting/run-conditions.ts';
import { cancelTask, deleteTask } from './manage-task.ts';
import { presentTask, presentTaskDetail } from './present.ts';
import { cancelBody, task, taskDetail, taskStatistics, tasksQuery } from './task.schema.ts';

/** The runs of a user, which the API calls tasks. */
export const taskRoutes = [
  route({
    name: 'listTasks',
    method: 'get',
    path: '/analysis/tasks',
    scope: 'TASK_READ',
    summary: 'List tasks',
    query: tasksQuery,
    paging: 'A',
    response: task,
  }).answers(async ({ context, caller, query }) => {
    const { items, total } = await listTasks(context.db, caller.userId, query);
    const conditionOf = await findConditions(context.db, items);
    return { items: items.map((row) => presentTask(row, conditionOf(row))), total };
  }),

  route({
    name: 'getTaskStatistics',
    method: 'get',
    path: '/analysis/tasks/statistics',
    scope: 'TASK_READ',
    summary: 'Count tasks per status',
    response: taskStatistics,
  }).answers(({ context, caller }) => countTasks(context.db, caller.userId)),

  route({
    name: 'getTask',
    method: 'get',
    path: '/analysis/tasks/{id}',
    scope: 'TASK_READ',
    summary: 'Read a task',
    params: idParams,
    response: taskDetail,
  }).answers(async ({ context, caller, params }) => {
    const row = orNotFound(await findTask(context.db, caller.userId, params.id), 'Task');
    return presentTaskDetail(row, (await findConditions(context.db, [row]))(row));
  }),

  route({
    name: 'cancelTask',
    method: 'patch',
    path: '/analysis/tasks/{id}',
    scope: 'TASK_WRITE',
    summary: 'Cancel a queued task',
    params: idParams,
    body: cancelBody,
    response: taskDetail,
    errors: ['TASK_NOT_CANCELLABLE'],
  }).answers(async ({ context, caller, params, body }) => {
    const row = await cancelTask(context.db, { userId: caller.userId, id: params.id }, body.reason);
    return presentTaskDetail(row, (await findConditions(context.db, [row]))(row));
  }),

  route({
    name: 'deleteTask',
    method: 'delete',
    path: '/analysis/tasks/{id}',
    scope: 'TASK_WRITE',
    summary: 'Delete a finished task',
    params: idParams,
    errors: ['TASK_ACTIVE'],
  }).answers(({ context, caller, params }) => deleteTask(context, caller.userId, params.id)),
];

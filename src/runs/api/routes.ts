import { findDevice } from '../../cameras/devices/device.store.ts';
import { notFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { mapPage } from '../../http/paging.ts';
import { route, WithMeta } from '../../http/route.ts';
import { STREAM_FAULT_REASONS } from '../../video/stream-error.ts';
import type { QueuedRun } from '../store/queue-run.store.ts';
import { listHistory } from '../store/task.store.ts';
import { readAnalysisStatus } from './analysis-status.ts';
import { presentHistory, presentStarted, presentStopped } from './present.ts';
import {
  analysisStatus,
  historyQuery,
  historyRecord,
  startBody,
  startedRun,
  stopBody,
  stoppedRuns,
} from './schema.ts';
import { startAnalysis } from './start-analysis.ts';
import { stopAnalysis } from './stop-analysis.ts';

/** Start, stop and status of a device's analysis. */
export const analysisRoutes = [
  route({
    name: 'startAnalysis',
    method: 'post',
    path: '/devices/{id}/analysis/start',
    scope: 'analysis:control',
    summary: 'Start the analysis of a scene',
    description:
      'The answer comes when the run is queued. `meta.computeNodeId` is the node for which the run is reserved; it is absent when all nodes are full. If the device is not known to be online, its stream is probed first, for less than 10 seconds. `DEVICE_OFFLINE` is about the camera: `error.details[0].reason` is one of ' +
      `${STREAM_FAULT_REASONS.map((reason) => `\`${reason}\``).join(', ')}, ` +
      'and its message says what to do. `NO_COMPUTE_NODE` is checked last; `Retry-After` says when to try again.',
    params: idParams,
    body: startBody,
    status: 202,
    response: startedRun,
    idempotency: 'user',
    errors: ['NO_ACTIVE_SCENES', 'ALREADY_RUNNING', 'DEVICE_OFFLINE', 'QUOTA_EXCEEDED', 'NO_COMPUTE_NODE'],
  }).answers(async ({ context, caller, params, body, keepAnswer }) => {
    const owner = { userId: caller.userId, deviceId: params.id };
    const present = (queued: QueuedRun) =>
      new WithMeta(presentStarted(queued), queued.node ? { computeNodeId: queued.node.id } : {});
    const options = { ...owner, ...body, startedBy: 'user' } as const;
    return present(await startAnalysis(context, options, (tx, queued) => keepAnswer(tx, present(queued))));
  }),

  route({
    name: 'stopAnalysis',
    method: 'post',
    path: '/devices/{id}/analysis/stop',
    scope: 'analysis:control',
    summary: 'Stop all analyses of a device, or the analysis of one scene',
    description:
      'The answer comes when the analysis has stopped: after at most 5 seconds, or 12 with `drain`.',
    params: idParams,
    body: stopBody,
    response: stoppedRuns,
    errors: ['NOT_RUNNING'],
  }).answers(async ({ context, caller, params, body }) =>
    presentStopped(await stopAnalysis(context.db, { userId: caller.userId, deviceId: params.id }, body)),
  ),

  route({
    name: 'getAnalysisStatus',
    method: 'get',
    path: '/devices/{id}/analysis/status',
    scope: 'TASK_READ',
    summary: 'Read the analysis status of a device and of its compute node',
    params: idParams,
    response: analysisStatus,
  }).answers(({ context, caller, params }) =>
    readAnalysisStatus(context.db, { userId: caller.userId, deviceId: params.id }),
  ),

  route({
    name: 'listAnalysisHistory',
    method: 'get',
    path: '/devices/{id}/analysis/history',
    scope: 'TASK_READ',
    summary: 'List the runs of a device, newest first',
    params: idParams,
    query: historyQuery,
    paging: 'A',
    response: historyRecord,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, params, query }) => {
    const owner = { userId: caller.userId, deviceId: params.id };
    if (!(await findDevice(context.db, owner.userId, owner.deviceId))) throw notFound('Device');
    return mapPage(await listHistory(context.db, owner, query), presentHistory);
  }),
];

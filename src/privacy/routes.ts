import { actorOf } from '../audit/record-audit.ts';
import { orNotFound } from '../http/errors.ts';
import { idParams } from '../http/fields.ts';
import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { findJob, listJobs } from './data-job.store.ts';
import { presentErasure, presentExport } from './present.ts';
import { cancelErasure, deleteExport, openExport, requestJob } from './request-job.ts';
import { erasureJob, exportJob, listJobsQuery, rangeBody } from './schema.ts';

export const privacyRoutes = [
  route({
    name: 'createExport',
    method: 'post',
    path: '/privacy/exports',
    scope: 'key:manage',
    summary: 'Export everything of a time range as a zip file, in the background',
    description:
      'The file has one JSON document in each line for each kind of row (visits, minutes, sums of those that are removed, snapshots, rolling records, floor hours, alert events, insights, attribute records), the images, the recordings whose time overlaps the range, and `manifest.json`. GET /privacy/exports/{id} shows the progress. The file is removed after seven days. At most five exports of a user wait or run.',
    body: rangeBody,
    status: 202,
    response: exportJob,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'INVALID_DATE_RANGE', 'LIMIT_REACHED'],
  }).answers(async ({ context, caller, client, body, keepAnswer }) => {
    const asked = { kind: 'export', userId: caller.userId, by: actorOf(caller, client) } as const;
    return presentExport(
      await requestJob(context, asked, body, (tx, row) => keepAnswer(tx, presentExport(row))),
    );
  }),

  route({
    name: 'listExports',
    method: 'get',
    path: '/privacy/exports',
    scope: 'key:manage',
    summary: 'List exports, newest first',
    query: listJobsQuery,
    paging: 'A',
    response: exportJob,
  }).answers(async ({ context, caller, query }) =>
    mapPage(await listJobs(context.db, { userId: caller.userId, kind: 'export', ...query }), presentExport),
  ),

  route({
    name: 'getExport',
    method: 'get',
    path: '/privacy/exports/{id}',
    scope: 'key:manage',
    summary: 'Read an export and its progress',
    params: idParams,
    response: exportJob,
  }).answers(async ({ context, caller, params }) => {
    const own = { userId: caller.userId, kind: 'export', id: params.id } as const;
    return presentExport(orNotFound(await findJob(context.db, own), 'Export'));
  }),

  route({
    name: 'getExportFile',
    method: 'get',
    path: '/privacy/exports/{id}/file',
    scope: 'key:manage',
    summary: 'Download the zip file of a completed export',
    params: idParams,
    produces: 'application/zip',
    errors: ['NOT_FOUND'],
  }).answers(({ context, caller, client, params }) =>
    openExport(context, { userId: caller.userId, by: actorOf(caller, client) }, params.id),
  ),

  route({
    name: 'deleteExport',
    method: 'delete',
    path: '/privacy/exports/{id}',
    scope: 'key:manage',
    summary: 'Cancel an export that waits or runs, or remove its file',
    params: idParams,
  }).answers(({ context, caller, client, params }) =>
    deleteExport(context, { userId: caller.userId, by: actorOf(caller, client) }, params.id),
  ),

  route({
    name: 'createErasure',
    method: 'post',
    path: '/privacy/erasures',
    scope: 'key:manage',
    summary: 'Erase everything of a time range for good, in the background',
    description:
      'Erases visits, metrics, floor maps, alert events with images and insights, attribute records, and recordings whose time overlaps the range; what was charged stays. Sums of an hour (floor maps, attributes) are erased with the whole hour, and sums of a quarter of an hour (of visits and minutes that are removed) with the whole quarter. The analysis of a device that holds something of the range in memory is stopped and started again. What a node would store later is not stored. It can be cancelled until it begins.',
    body: rangeBody,
    status: 202,
    response: erasureJob,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'INVALID_DATE_RANGE', 'LIMIT_REACHED'],
  }).answers(async ({ context, caller, client, body, keepAnswer }) => {
    const asked = { kind: 'erasure', userId: caller.userId, by: actorOf(caller, client) } as const;
    return presentErasure(
      await requestJob(context, asked, body, (tx, row) => keepAnswer(tx, presentErasure(row))),
    );
  }),

  route({
    name: 'listErasures',
    method: 'get',
    path: '/privacy/erasures',
    scope: 'key:manage',
    summary: 'List erasures, newest first',
    query: listJobsQuery,
    paging: 'A',
    response: erasureJob,
  }).answers(async ({ context, caller, query }) =>
    mapPage(await listJobs(context.db, { userId: caller.userId, kind: 'erasure', ...query }), presentErasure),
  ),

  route({
    name: 'getErasure',
    method: 'get',
    path: '/privacy/erasures/{id}',
    scope: 'key:manage',
    summary: 'Read an erasure and its progress',
    params: idParams,
    response: erasureJob,
  }).answers(async ({ context, caller, params }) => {
    const own = { userId: caller.userId, kind: 'erasure', id: params.id } as const;
    return presentErasure(orNotFound(await findJob(context.db, own), 'Erasure'));
  }),

  route({
    name: 'cancelErasure',
    method: 'delete',
    path: '/privacy/erasures/{id}',
    scope: 'key:manage',
    summary: 'Cancel an erasure that has not begun',
    params: idParams,
    errors: ['ERASURE_STARTED'],
  }).answers(({ context, caller, client, params }) =>
    cancelErasure(context, { userId: caller.userId, by: actorOf(caller, client) }, params.id),
  ),
];

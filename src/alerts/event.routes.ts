import { notFound, orNotFound } from '../http/errors.ts';
import { idParams } from '../http/fields.ts';
import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { changeEvent } from './acknowledge-event.ts';
import { countEvents, findEvent, listEvents, readBriefs, removeEvent } from './event.store.ts';
import { presentEvent, presentStats } from './present.ts';
import {
  alertEvent,
  eventStats,
  listEventsQuery,
  patchEventBody,
  readEventQuery,
  statsQuery,
} from './schema.ts';

const WEEK_MS = 7 * 86_400_000;

/** Alert events: what rules have fired. */
export const alertEventRoutes = [
  route({
    name: 'listAlertEvents',
    method: 'get',
    path: '/analysis/alerts',
    scope: 'analytics:read',
    summary: 'List alert events, newest first',
    query: listEventsQuery,
    paging: 'B',
    response: alertEvent,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) => {
    const page = await listEvents(context.db, caller.userId, query);
    const ids = query.withInsight ? page.items.map(({ id }) => id) : [];
    const briefs = ids.length > 0 ? await readBriefs(context.db, caller.userId, ids) : null;
    return mapPage(page, (row) => presentEvent(context, row, briefs?.get(row.id)));
  }),

  route({
    name: 'getAlertStatistics',
    method: 'get',
    path: '/analysis/alerts/stats',
    scope: 'analytics:read',
    summary: 'Count alert events, by default of the last 7 days',
    query: statsQuery,
    response: eventStats,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) => {
    const { startDate, endDate, timezone } = query;
    const end = (endDate ?? context.clock.now()).getTime();
    const range = { startDate: startDate ?? new Date(end - WEEK_MS), endDate, timezone };
    return presentStats(await countEvents(context.db, caller.userId, range));
  }),

  route({
    name: 'getAlertEvent',
    method: 'get',
    path: '/analysis/alerts/{id}',
    scope: 'analytics:read',
    summary: 'Read an alert event',
    params: idParams,
    query: readEventQuery,
    response: alertEvent,
  }).answers(async ({ context, caller, params, query }) => {
    const row = orNotFound(await findEvent(context.db, caller.userId, params.id), 'Alert event');
    const briefs = query.withInsight ? await readBriefs(context.db, caller.userId, [row.id]) : null;
    return presentEvent(context, row, briefs?.get(row.id));
  }),

  route({
    name: 'updateAlertEvent',
    method: 'patch',
    path: '/analysis/alerts/{id}',
    scope: 'alert:write',
    summary: 'Acknowledge an alert event, or withdraw that',
    description: 'Of several acknowledgements the first stays.',
    params: idParams,
    body: patchEventBody,
    response: alertEvent,
  }).answers(async ({ context, caller, params, body }) =>
    presentEvent(context, await changeEvent(context, caller, { id: params.id, ...body })),
  ),

  route({
    name: 'deleteAlertEvent',
    method: 'delete',
    path: '/analysis/alerts/{id}',
    scope: 'alert:write',
    summary:
      'Delete an alert event; its insight is no longer listed, and its images are erased within a minute',
    params: idParams,
  }).answers(async ({ context, caller, params }) => {
    const event = { userId: caller.userId, id: params.id, at: context.clock.now() };
    if (!(await removeEvent(context.db, event))) throw notFound('Alert event');
  }),
];

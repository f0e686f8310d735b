import { z } from 'zod';
import { orNotFound } from '../http/errors.ts';
import { idParams } from '../http/fields.ts';
import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
import type { Db } from '../platform/database/db.ts';
import { findInsight, listInsights, listSummaries } from './insight.store.ts';
import { presentInsight, presentInsightDetail, presentSnapshots, presentSummary } from './present.ts';
import {
  insight,
  insightDetail,
  insightSnapshot,
  listInsightsQuery,
  listSummariesQuery,
  vlmSummary,
} from './schema.ts';
import { searchBody, searchResult } from './search/schema.ts';
import { searchInsights } from './search/search-insights.ts';

/** @throws ApiError NOT_FOUND */
async function requireInsight(db: Db, userId: string, id: string) {
  const row = orNotFound(await findInsight(db, userId, id), 'Insight');
  return row;
}

export const insightRoutes = [
  route({
    name: 'listInsights',
    method: 'get',
    path: '/analysis/insights',
    scope: 'analytics:read',
    summary: 'List insights, newest first',
    query: listInsightsQuery,
    paging: 'A',
    response: insight,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) => {
    return mapPage(await listInsights(context.db, caller.userId, query), (row) =>
      presentInsight(context, row),
    );
  }),

  route({
    name: 'listInsightSummaries',
    method: 'get',
    path: '/analysis/insights/vlm-summaries',
    scope: 'analytics:read',
    summary: 'List insight summaries, newest first',
    query: listSummariesQuery,
    paging: 'A',
    response: vlmSummary,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) => {
    return mapPage(await listSummaries(context.db, caller.userId, query), (row) =>
      presentSummary(context, row),
    );
  }),

  route({
    name: 'searchInsights',
    method: 'post',
    path: '/analysis/insights/search',
    scope: 'analytics:read',
    limit: 'search',
    summary: 'Search insights in plain words',
    description:
      'The query may name days and times in English or German ("yesterday evening", "letzte Woche"), devices and ' +
      'scenes, severity, risk and numbers of people; all other words are searched. Queries in other languages go to the language model, if there is one. `interpretation` shows what was understood.',
    body: searchBody,
    response: searchResult,
    errors: ['INVALID_DATE_RANGE', 'QUOTA_EXCEEDED'],
  }).answers(async ({ context, caller, body, signal }) =>
    searchInsights(context, { userId: caller.userId, signal }, body),
  ),

  route({
    name: 'getInsight',
    method: 'get',
    path: '/analysis/insights/{id}',
    scope: 'analytics:read',
    summary: 'Read an insight',
    params: idParams,
    response: insightDetail,
  }).answers(async ({ context, caller, params }) =>
    presentInsightDetail(context, await requireInsight(context.db, caller.userId, params.id)),
  ),

  route({
    name: 'listInsightSnapshots',
    method: 'get',
    path: '/analysis/insights/{id}/snapshots',
    scope: 'analytics:read',
    summary: 'The images of an insight',
    params: idParams,
    response: z.array(insightSnapshot),
  }).answers(async ({ context, caller, params }) =>
    presentSnapshots(context, await requireInsight(context.db, caller.userId, params.id)),
  ),
];

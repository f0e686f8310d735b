import { z } from 'zod';
import { orNotFound } from '../http/errors.ts';
import { idParams } from '../http/fields.ts';
import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { findInsightPlace, findRecord, findRecordsAround, listRecords } from './attribute.store.ts';
import { presentAttributeStats, presentBrief, presentDetail, presentRecord } from './present.ts';
import { requireListPlan, requirePlan } from './require-plan.ts';
import {
  attributeDetail,
  attributeRecord,
  attributeStats,
  attributeStatsQuery,
  insightAttributes,
  listAttributesQuery,
} from './schema.ts';
import { findCoveredKeys, sumAttributes } from './stats.store.ts';

const AROUND_INSIGHT = { radiusMs: 30_000, limit: 50 };
const HOUR_MS = 3_600_000;

export const attributeRoutes = [
  route({
    name: 'listInsightAttributes',
    method: 'get',
    path: '/analysis/insights/{id}/attributes',
    scope: 'analytics:read',
    summary: 'List people captured within 30 seconds of the alert of an insight, oldest first (LEVEL_02)',
    params: idParams,
    response: z.array(insightAttributes).max(AROUND_INSIGHT.limit),
    errors: ['FORBIDDEN'],
  }).answers(async ({ context: { db }, caller: { userId }, params }) => {
    const insight = orNotFound(await findInsightPlace(db, userId, params.id), 'Insight');
    const { sceneId, triggeredAt: at, device } = insight;
    requirePlan(device.plan);
    return (await findRecordsAround(db, { userId, sceneId }, { at, ...AROUND_INSIGHT })).map(presentBrief);
  }),

  route({
    name: 'getAttributeStatistics',
    method: 'get',
    path: '/analysis/insights/attributes/stats',
    scope: 'analytics:read',
    summary: 'Count people by gender and age, per hour or day (LEVEL_02)',
    description:
      'Counts cover whole UTC hours. Each person counts once per run, even when captured several times. If an attribute of a person could not be determined, the person does not count for it. `known` is the number of people for whom it could be determined. `coveredKeys` lists the attributes that the models in use can determine.',
    query: attributeStatsQuery,
    response: attributeStats,
    errors: ['FORBIDDEN', 'INVALID_DATE_RANGE'],
  }).answers(async ({ context: { db }, caller: { userId }, query }) => {
    const deviceIds = await requireListPlan(db, userId, query);
    const startDate = new Date(Math.floor(query.startDate.getTime() / HOUR_MS) * HOUR_MS);
    const place = { userId, deviceIds, deviceId: query.deviceId, sceneId: query.sceneId };
    const range = { ...query, startDate };
    const [sums, coveredKeys] = await Promise.all([
      sumAttributes(db, place, range),
      findCoveredKeys(db, place, range),
    ]);
    return presentAttributeStats(sums, coveredKeys, query);
  }),

  route({
    name: 'listAttributeRecords',
    method: 'get',
    path: '/analysis/attributes',
    scope: 'analytics:read',
    summary: 'List attribute records, newest first (LEVEL_02)',
    query: listAttributesQuery,
    paging: 'A',
    response: attributeRecord,
    errors: ['FORBIDDEN', 'INVALID_DATE_RANGE'],
  }).answers(async ({ context: { db }, caller: { userId }, query }) => {
    const deviceIds = await requireListPlan(db, userId, query);
    return mapPage(await listRecords(db, { userId, deviceIds }, query), presentRecord);
  }),

  route({
    name: 'getAttributeRecord',
    method: 'get',
    path: '/analysis/attributes/{id}',
    scope: 'analytics:read',
    summary: 'Read an attribute record with its persons (LEVEL_02)',
    params: idParams,
    response: attributeDetail,
    errors: ['FORBIDDEN'],
  }).answers(async ({ context: { db }, caller: { userId }, params }) => {
    const row = orNotFound(await findRecord(db, userId, params.id), 'Attribute record');
    requirePlan(row.device.plan);
    return presentDetail(row);
  }),
];

import { z } from 'zod';
import { orNotFound } from '../http/errors.ts';
import { id } from '../http/fields.ts';
import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
import type { Context } from '../platform/context.ts';
import type { PerFeature } from './features.ts';
import { forecastMonth } from './forecast/forecast-month.ts';
import { type Period, periodOf } from './period.ts';
import {
  presentComparison,
  presentDeviceShare,
  presentDeviceUsage,
  presentLegacyQuota,
  presentMonthlyQuota,
  presentSummary,
  presentTransaction,
  presentTrend,
  presentUsageEvent,
  presentUserUsage,
} from './present.ts';
import { findOwnDevice, readQuota } from './quota.store.ts';
import type { QuotaState } from './quota-state.ts';
import { compareMonths } from './reports/compare-months.ts';
import { everyTransaction, everyUsage, listTransactions, listUsage } from './reports/history.store.ts';
import { everyDeviceUsage, usageByDevice, usageByType } from './reports/report.store.ts';
import { readTrend } from './reports/trend.ts';
import * as schema from './schema.ts';

/** Every row as the API shows it. */
async function* shown<Row, Shown>(
  rows: AsyncIterable<Row>,
  present: (row: Row) => Shown,
): AsyncGenerator<Shown> {
  for await (const row of rows) yield present(row);
}

const monthOf = (context: Context, asked: Period | undefined): Period =>
  asked ?? periodOf(context.clock.now());

const readUserQuota = (context: Context, userId: string, period: Period) =>
  readQuota(context.db, { scope: 'user', scopeId: userId }, period);

/** The quota of the caller's month, as one of the presenters shows it. */
async function presentQuota<Json>(
  { context, caller }: { context: Context; caller: { userId: string } },
  asked: Period | undefined,
  present: (userId: string, period: Period, month: PerFeature<QuotaState>) => Json,
): Promise<Json> {
  const period = monthOf(context, asked);
  return present(caller.userId, period, await readUserQuota(context, caller.userId, period));
}

export const billingRoutes = [
  route({
    name: 'getMonthlyQuota',
    method: 'get',
    path: '/billing/monthly-quota',
    scope: 'billing:read',
    summary: 'Read the quota of this month: limit, usage and remainder of each feature',
    query: schema.periodQuery,
    response: schema.monthlyQuota,
    errors: ['INVALID_BILLING_PERIOD'],
  }).answers(({ query, ...request }) => presentQuota(request, query.billingPeriod, presentMonthlyQuota)),

  route({
    name: 'getFlatMonthlyQuota',
    method: 'get',
    path: '/billing/quota',
    scope: 'billing:read',
    summary: 'Read the quota of this month as flat fields (legacy)',
    query: schema.periodQuery,
    response: schema.legacyQuota,
    errors: ['INVALID_BILLING_PERIOD'],
  }).answers(({ query, ...request }) => presentQuota(request, query.billingPeriod, presentLegacyQuota)),

  route({
    name: 'getUsageSummary',
    method: 'get',
    path: '/billing/summary',
    scope: 'billing:read',
    summary: 'Read the usage of a month, by feature and analysis type',
    query: schema.periodQuery,
    response: schema.summary,
    errors: ['INVALID_BILLING_PERIOD'],
  }).answers(async ({ context, caller, query }) => {
    const period = monthOf(context, query.billingPeriod);
    const [month, byType] = await Promise.all([
      readUserQuota(context, caller.userId, period),
      usageByType(context.db, caller.userId, period),
    ]);
    return presentSummary(period, month, byType);
  }),

  route({
    name: 'listUsageByDevice',
    method: 'get',
    path: '/billing/summary/by-device',
    scope: 'billing:read',
    summary: 'List the usage of a month by device, largest first',
    description:
      'The list includes devices that were deleted later, so that the sum is correct. Searches belong to no device.',
    query: schema.byDeviceQuery,
    paging: 'A',
    response: schema.deviceShare,
    errors: ['INVALID_BILLING_PERIOD'],
  }).answers({
    handler: async ({ context, caller, query }) => {
      const period = monthOf(context, query.billingPeriod);
      const [month, { items, total }] = await Promise.all([
        readUserQuota(context, caller.userId, period),
        usageByDevice(context.db, caller.userId, { page: query.page, limit: query.limit, period }),
      ]);
      return { items: items.map((usage) => presentDeviceShare(usage, month.analysis.used)), total };
    },
    async *csv({ context, caller, query }) {
      const period = monthOf(context, query.billingPeriod);
      const month = await readUserQuota(context, caller.userId, period);
      const devices = everyDeviceUsage(context.db, caller.userId, period);
      yield* shown(devices, (usage) => presentDeviceShare(usage, month.analysis.used));
    },
  }),

  route({
    name: 'listUsageEvents',
    method: 'get',
    path: '/billing/usage',
    scope: 'billing:read',
    summary: 'List all charges and returns, newest first',
    query: schema.usageQuery,
    paging: 'A',
    response: schema.usageEvent,
    errors: ['INVALID_BILLING_PERIOD', 'INVALID_DATE_RANGE'],
  }).answers({
    handler: async ({ context, caller, query }) => {
      return mapPage(await listUsage(context.db, caller.userId, query), presentUsageEvent);
    },
    csv: ({ context, caller, query }) =>
      shown(everyUsage(context.db, caller.userId, query), presentUsageEvent),
  }),

  route({
    name: 'getUsageTrend',
    method: 'get',
    path: '/billing/dashboard/trend',
    scope: 'billing:read',
    summary: 'Read usage per day or month; 0 where nothing was used',
    description:
      'Every UTC day or month that the range touches counts as a whole. A range may have 400 days, or ten years of months. Monthly usage comes from the quota counters and is the fastest; with `deviceId` from the counters of that device.',
    query: schema.trendQuery,
    response: schema.trend,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) => {
    const about = { userId: caller.userId, now: context.clock.now() };
    return presentTrend(await readTrend(context.db, about, query), query);
  }),

  route({
    name: 'compareUsage',
    method: 'get',
    path: '/billing/dashboard/comparison',
    scope: 'billing:read',
    summary: 'Compare a month with the month before',
    description:
      'A past month is compared with the whole month before. The current month is compared with the same elapsed part of the month before, or with all of that month if it is shorter. `windowStart` and `windowEnd` show which part was compared.',
    query: schema.periodQuery,
    response: schema.comparison,
    errors: ['INVALID_BILLING_PERIOD'],
  }).answers(async ({ context, caller, query }) => {
    const about = { userId: caller.userId, now: context.clock.now() };
    return presentComparison(await compareMonths(context.db, about, monthOf(context, query.billingPeriod)));
  }),

  route({
    name: 'forecastUsage',
    method: 'get',
    path: '/billing/dashboard/forecast',
    scope: 'billing:read',
    summary: 'Forecast the usage of a month and when a limit will be reached',
    query: schema.periodQuery,
    response: schema.forecastResponse,
    errors: ['INVALID_BILLING_PERIOD'],
  }).answers(({ context, caller, query }) =>
    forecastMonth(
      context.db,
      { userId: caller.userId, now: context.clock.now() },
      monthOf(context, query.billingPeriod),
    ),
  ),

  route({
    name: 'listQuotaTransactions',
    method: 'get',
    path: '/billing/transactions',
    scope: 'billing:read',
    summary: 'List the ledger of the quota, newest first',
    query: schema.transactionsQuery,
    paging: 'A',
    response: schema.transaction,
    errors: ['INVALID_BILLING_PERIOD', 'INVALID_DATE_RANGE'],
  }).answers({
    handler: async ({ context, caller, query }) => {
      return mapPage(await listTransactions(context.db, caller.userId, query), presentTransaction);
    },
    csv: ({ context, caller, query }) =>
      shown(everyTransaction(context.db, caller.userId, query), presentTransaction),
  }),

  route({
    name: 'getUserUsage',
    method: 'get',
    path: '/usage/user/summary',
    scope: 'billing:read',
    summary: 'Read the usage of a month by feature',
    query: schema.usagePeriodQuery,
    response: schema.userUsage,
    errors: ['INVALID_BILLING_PERIOD'],
  }).answers(({ query, ...request }) => presentQuota(request, query.period, presentUserUsage)),

  route({
    name: 'getDeviceUsage',
    method: 'get',
    path: '/usage/devices/{deviceId}',
    scope: 'billing:read',
    summary: 'Read the quota and usage of a device in a month',
    params: z.object({ deviceId: id().meta({ description: 'Device' }) }),
    query: schema.usagePeriodQuery,
    response: schema.deviceUsage,
    errors: ['INVALID_BILLING_PERIOD'],
  }).answers(async ({ context, caller, params, query }) => {
    const device = orNotFound(await findOwnDevice(context.db, caller.userId, params.deviceId), 'Device');
    const period = monthOf(context, query.period);
    const month = await readQuota(context.db, { scope: 'device', scopeId: device.id }, period);
    return presentDeviceUsage(device, period, month);
  }),
];

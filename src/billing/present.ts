import type { z } from 'zod';
import type { UsageEvent } from '../platform/prisma-client/client.ts';
import { type PerFeature, perFeature, UNITS, withApiNames } from './features.ts';
import { type Period, periodEnd, periodStart } from './period.ts';
import type { OwnDevice } from './quota.store.ts';
import { balanceOf, isExceeded, percentOf, type QuotaState, usagePercentage } from './quota-state.ts';
import type { Comparison, MonthWindow } from './reports/compare-months.ts';
import type { LedgerRow } from './reports/history.store.ts';
import type { DeviceUsage, Totals } from './reports/report.store.ts';
import type { Trend } from './reports/trend.ts';
import type * as schema from './schema.ts';

type Json<Schema extends z.ZodType> = z.input<Schema>;
type Month = PerFeature<QuotaState>;

export function presentMonthlyQuota(
  userId: string,
  period: Period,
  month: Month,
): Json<typeof schema.monthlyQuota> {
  const balances = perFeature((feature) => {
    const { limit, used } = month[feature];
    return { limit, used, balance: balanceOf(month[feature]) };
  });
  return { userId, period, ...withApiNames(balances), resetAt: periodEnd(period).toISOString() };
}

const flat = ({ analysis, alert, attribute, vlm }: Month) => ({
  quotaSeconds: analysis.limit,
  usedSeconds: analysis.used,
  remainingSeconds: balanceOf(analysis),
  alertQuota: alert.limit,
  alertUsed: alert.used,
  alertRemaining: balanceOf(alert),
  attributeQuota: attribute.limit,
  attributeUsed: attribute.used,
  attributeRemaining: balanceOf(attribute),
  vlmQuota: vlm.limit,
  vlmUsed: vlm.used,
  vlmRemaining: balanceOf(vlm),
});

export const presentLegacyQuota = (
  userId: string,
  period: Period,
  month: Month,
): Json<typeof schema.legacyQuota> => ({
  userId,
  period,
  ...flat(month),
  resetAt: periodEnd(period).toISOString(),
});

export const presentDeviceUsage = (
  device: OwnDevice,
  period: Period,
  month: Month,
): Json<typeof schema.deviceUsage> => ({
  deviceId: device.id,
  deviceName: device.name,
  period,
  ...flat(month),
  isDisabled: device.isDisabled,
  isUnlimited: month.analysis.limit === null,
  usagePercentage: usagePercentage(month.analysis),
  deviceType: device.kind,
});

const featureUsage = (state: QuotaState) => ({
  used: state.used,
  limit: state.limit,
  balance: balanceOf(state),
  isExceeded: isExceeded(state),
});

export const presentUserUsage = (
  userId: string,
  period: Period,
  month: Month,
): Json<typeof schema.userUsage> => ({
  userId,
  period,
  ...perFeature((feature) => featureUsage(month[feature])),
});

export const presentSummary = (
  period: Period,
  month: Month,
  byType: ReadonlyMap<'queue_analysis', Totals>,
): Json<typeof schema.summary> => ({
  billingPeriod: period,
  periodStart: periodStart(period).toISOString(),
  periodEnd: periodEnd(period).toISOString(),
  features: perFeature((feature) => ({
    unit: UNITS[feature],
    ...featureUsage(month[feature]),
    usagePercentage: usagePercentage(month[feature]),
  })),
  usageByType: [...byType].map(([type, totals]) => ({
    type,
    ...withApiNames(totals),
    percentage: percentOf(totals.analysis, month.analysis.used),
  })),
});

/** @param allSeconds analysis seconds of all devices of the user */
export const presentDeviceShare = (
  usage: DeviceUsage,
  allSeconds: number,
): Json<typeof schema.deviceShare> => ({
  deviceId: usage.deviceId,
  deviceName: usage.deviceName,
  ...withApiNames(usage),
  percentage: percentOf(usage.analysis, allSeconds),
  deviceType: usage.deviceType,
});

export const presentUsageEvent = (row: UsageEvent): Json<typeof schema.usageEvent> => ({
  id: row.id,
  deviceId: row.deviceId,
  sceneId: row.sceneId,
  featureType: row.feature,
  quantity: Number(row.quantity),
  unit: UNITS[row.feature],
  sourceId: row.sourceId,
  occurredAt: row.occurredAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
});

export const presentTrend = (
  { startDate, endDate, windows }: Trend,
  asked: { granularity: 'day' | 'month'; deviceId?: string | undefined },
): Json<typeof schema.trend> => ({
  granularity: asked.granularity,
  startDate: startDate.toISOString(),
  endDate: endDate.toISOString(),
  deviceId: asked.deviceId ?? null,
  data: windows.map(({ start, end, totals }) => ({
    windowStart: start.toISOString(),
    windowEnd: end.toISOString(),
    ...withApiNames(totals),
  })),
});

const presentMonthWindow = ({ period, start, end, totals }: MonthWindow) => ({
  period,
  windowStart: start.toISOString(),
  windowEnd: end.toISOString(),
  ...withApiNames(totals),
});

export const presentComparison = ({ current, previous }: Comparison): Json<typeof schema.comparison> => ({
  current: presentMonthWindow(current),
  previous: presentMonthWindow(previous),
  change: withApiNames(
    perFeature((feature) => {
      const absolute = current.totals[feature] - previous.totals[feature];
      return { absolute, percent: percentOf(absolute, previous.totals[feature]) };
    }),
  ),
});

export const presentTransaction = (row: LedgerRow): Json<typeof schema.transaction> => ({
  id: row.id,
  featureType: row.feature,
  type: row.type,
  source: row.source,
  amount: Number(row.amount),
  balanceBefore: Number(row.balanceBefore),
  balanceAfter: Number(row.balanceAfter),
  deviceId: row.deviceId,
  referenceId: row.referenceId,
  reason: row.reason,
  createdAt: row.createdAt.toISOString(),
});

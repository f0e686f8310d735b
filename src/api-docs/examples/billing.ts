import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

const FOUR = { analysisSeconds: 80_000, alertCount: 41, attributeCount: 1200, vlmTokens: 18_300 };
const BEFORE = { analysisSeconds: 64_000, alertCount: 50, attributeCount: 1000, vlmTokens: 0 };
const LIMITS = { analysisSeconds: 100_000, alertCount: 1000, attributeCount: 10_000, vlmTokens: 200_000 };

type Name = keyof typeof FOUR;
const NAMES = Object.keys(FOUR) as Name[];
const FEATURE = {
  analysisSeconds: 'analysis',
  alertCount: 'alert',
  attributeCount: 'attribute',
  vlmTokens: 'vlm',
} as const;
const UNIT = {
  analysisSeconds: 'seconds',
  alertCount: 'count',
  attributeCount: 'count',
  vlmTokens: 'tokens',
} as const;

const quota = (name: Name) => ({ limit: LIMITS[name], used: FOUR[name], balance: LIMITS[name] - FOUR[name] });
const percentOf = (part: number, whole: number) => Math.round((part / whole) * 10_000) / 100;
const perName = (value: (name: Name) => unknown) =>
  Object.fromEntries(NAMES.map((name) => [name, value(name)]));
const perFeature = (value: (name: Name) => unknown) =>
  Object.fromEntries(NAMES.map((name) => [FEATURE[name], value(name)]));
const usage = (name: Name) => ({ ...quota(name), isExceeded: false });
const summary = (name: Name) => ({
  unit: UNIT[name],
  ...usage(name),
  usagePercentage: percentOf(FOUR[name], LIMITS[name]),
});

const flat = {
  quotaSeconds: LIMITS.analysisSeconds,
  usedSeconds: FOUR.analysisSeconds,
  remainingSeconds: quota('analysisSeconds').balance,
  alertQuota: LIMITS.alertCount,
  alertUsed: FOUR.alertCount,
  alertRemaining: quota('alertCount').balance,
  attributeQuota: LIMITS.attributeCount,
  attributeUsed: FOUR.attributeCount,
  attributeRemaining: quota('attributeCount').balance,
  vlmQuota: LIMITS.vlmTokens,
  vlmUsed: FOUR.vlmTokens,
  vlmRemaining: quota('vlmTokens').balance,
};

const change = (name: Name) => ({
  absolute: FOUR[name] - BEFORE[name],
  percent: BEFORE[name] === 0 ? null : percentOf(FOUR[name] - BEFORE[name], BEFORE[name]),
});
/** Usage at the end of the month at this pace. */
const forecast = (name: Name) => ({
  method: 'weekly_seasonal',
  usedToDate: FOUR[name],
  projected: Math.round(FOUR[name] * 1.02),
  lowerBound: FOUR[name],
  upperBound: Math.round(FOUR[name] * 1.05),
  limit: LIMITS[name],
  projectedPercentage: percentOf(Math.round(FOUR[name] * 1.02), LIMITS[name]),
  projectedExceedAt: null,
});
const MONTH = { period: '2026-01', billingPeriod: '2026-01', resetAt: '2026-02-01T00:00:00.000Z' };

/** The current month and the same part of the month before. */
const THIS_MONTH = {
  period: MONTH.period,
  windowStart: '2026-01-01T00:00:00.000Z',
  windowEnd: TIME.answered,
  ...FOUR,
};
const LAST_MONTH = {
  period: '2025-12',
  windowStart: '2025-12-01T00:00:00.000Z',
  windowEnd: '2025-12-31T08:15:00.250Z',
  ...BEFORE,
};

/** Examples of quota, usage and the ledger. */
export const BILLING_EXAMPLES: Examples = {
  ...MONTH,
  ...FOUR,
  ...flat,
  QuotaBalance: quota('analysisSeconds'),
  FeatureUsage: usage('analysisSeconds'),
  SummaryFeature: summary('analysisSeconds'),
  MonthlyQuota: { userId: ID.user, period: MONTH.period, ...perName(quota), resetAt: MONTH.resetAt },
  UserUsage: { userId: ID.user, period: MONTH.period, ...perFeature(usage) },
  usagePercentage: percentOf(FOUR.analysisSeconds, LIMITS.analysisSeconds),
  isUnlimited: false,
  BillingSummary: {
    billingPeriod: MONTH.period,
    periodStart: '2026-01-01T00:00:00.000Z',
    periodEnd: MONTH.resetAt,
    features: perFeature(summary),
    usageByType: [{ type: 'queue_analysis', ...FOUR, percentage: 100 }],
  },
  'DeviceShare.percentage': 100,
  UsageEvent: {
    id: ID.usage,
    deviceId: ID.device,
    sceneId: ID.scene,
    featureType: 'analysis',
    quantity: 60,
    unit: 'seconds',
    sourceId: `${ID.analysis}:60`,
    occurredAt: '2026-01-31T08:14:00.000Z',
    createdAt: '2026-01-31T08:14:00.120Z',
  },
  UsageTrend: {
    granularity: 'day',
    startDate: '2026-01-31T00:00:00.000Z',
    endDate: '2026-02-01T00:00:00.000Z',
    deviceId: null,
    data: [
      {
        windowStart: '2026-01-31T00:00:00.000Z',
        windowEnd: '2026-02-01T00:00:00.000Z',
        analysisSeconds: 3600,
        alertCount: 1,
        attributeCount: 360,
        vlmTokens: 1310,
      },
    ],
  },
  UsageComparison: {
    current: THIS_MONTH,
    previous: LAST_MONTH,
    change: perName(change),
  },
  PeriodTotals: THIS_MONTH,
  UsageChange: change('analysisSeconds'),
  FeatureForecast: forecast('analysisSeconds'),
  UsageForecast: {
    period: MONTH.period,
    asOf: TIME.answered,
    elapsedRatio: 0.98,
    method: 'weekly_seasonal',
    features: perFeature(forecast),
  },
  QuotaTransaction: {
    id: ID.transaction,
    featureType: 'analysis',
    type: 'debit',
    source: 'consumption',
    amount: 60,
    balanceBefore: 20_060,
    balanceAfter: 20_000,
    deviceId: ID.device,
    referenceId: ID.usage,
    reason: null,
    createdAt: '2026-01-31T08:14:00.120Z',
  },
  'POST /admin/users/{id}/quota/top-up': {
    featureType: 'analysis',
    amount: 36_000,
    referenceId: ID.request,
    reason: 'Ten more hours for the sale',
  },
  'PUT /admin/users/{id}/quota': { analysis: 100_000, vlm: null, reason: 'New contract' },
  'PUT /admin/devices/{id}/quota': { analysis: 50_000, isDisabled: false },
  'GET /billing/summary/by-device text/csv': `deviceId,deviceName,analysisSeconds,alertCount,attributeCount,vlmTokens,percentage,deviceType\r\n${ID.device},Camera till 3,80000,41,1200,18300,100,camera\r\n`,
  'GET /billing/usage text/csv': `id,deviceId,sceneId,featureType,quantity,unit,sourceId,occurredAt,createdAt\r\n${ID.usage},${ID.device},${ID.scene},analysis,60,seconds,${ID.analysis}:60,2026-01-31T08:14:00.000Z,2026-01-31T08:14:00.120Z\r\n`,
  'GET /billing/transactions text/csv': `id,featureType,type,source,amount,balanceBefore,balanceAfter,deviceId,referenceId,reason,createdAt\r\n${ID.transaction},analysis,debit,consumption,60,20060,20000,${ID.device},${ID.usage},,2026-01-31T08:14:00.120Z\r\n`,
};

import { z } from 'zod';
import { id, orderedRange, rangeFields, time, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { QuotaSource, TransactionType } from '../platform/prisma-client/enums.ts';
import { FEATURES, perFeature, UNITS } from './features.ts';

const month = z
  .string()
  .refine((text) => /^2\d{3}-(0[1-9]|1[0-2])$/.test(text), {
    error: 'must be a month like 2026-01, from 2000-01 to 2999-12',
    params: { code: 'INVALID_BILLING_PERIOD' },
  })
  .meta({ override: { type: 'string', pattern: '^2\\d{3}-(0[1-9]|1[0-2])$' } });

const billingPeriod = month
  .optional()
  .meta({ description: 'Month in UTC, `YYYY-MM`; by default the current month' });
export const periodQuery = z.object({ billingPeriod });
export const usagePeriodQuery = z.object({ period: billingPeriod });
export const byDeviceQuery = z.object({ billingPeriod, ...pageFields() });

const featureType = z.enum(FEATURES);
const transactionType = z.enum(TransactionType);
const source = z.enum(QuotaSource);
const historyFields = {
  billingPeriod: month.optional().meta({ description: 'Only this month, `YYYY-MM`' }),
  featureType: featureType.optional(),
  ...rangeFields,
  ...pageFields(),
};

export const usageQuery = z
  .object({ ...historyFields, deviceId: id().optional(), sceneId: id().optional() })
  .superRefine(orderedRange);

export const transactionsQuery = z
  .object({
    ...historyFields,
    type: transactionType.optional(),
    source: source.optional(),
    deviceId: id()
      .optional()
      .meta({ description: 'Return the ledger of this device’s quota instead of the user’s' }),
  })
  .superRefine(orderedRange);

export const trendQuery = z
  .object({
    granularity: z.enum(['day', 'month']).default('day'),
    startDate: time().optional().meta({ description: 'By default 30 days or 12 months before the end' }),
    endDate: time().optional().meta({ description: 'Now unless told' }),
    deviceId: id().optional().meta({ description: 'Only this device' }),
  })
  .superRefine(orderedRange)
  .superRefine((query, context) => {
    for (const path of ['startDate', 'endDate'] as const) {
      const year = query[path]?.getUTCFullYear() ?? 2000;
      if (year >= 2000 && year < 3000) continue;
      const params = { code: 'INVALID_DATE_RANGE' };
      context.addIssue({
        code: 'custom',
        path: [path],
        message: 'must lie in the years 2000 to 2999',
        params,
      });
    }
  });

const amount = z.int();
const shownMonth = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .meta({ description: 'Month in UTC, `YYYY-MM`' });
const percent = z.number().nullable();
const four = (schema: z.ZodType<number, number>) => ({
  analysisSeconds: schema.meta({
    description:
      'Analysis seconds. Each analysed scene counts by itself, also beside another scene of the same device',
  }),
  alertCount: schema.meta({ description: 'Alerts' }),
  attributeCount: schema.meta({ description: 'Attribute records' }),
  vlmTokens: schema.meta({ description: 'Tokens of the visual language model' }),
});

const limit = amount.nullable().meta({ description: 'Null: unlimited' });
const balance = amount
  .nullable()
  .meta({ description: 'What is left; negative where alerts went beyond the limit; null: unlimited' });
const quota = z.strictObject({ limit, used: amount, balance }).meta({ id: 'QuotaBalance' });

export const monthlyQuota = z
  .strictObject({
    userId: id(),
    period: shownMonth,
    analysisSeconds: quota,
    alertCount: quota,
    attributeCount: quota,
    vlmTokens: quota,
    resetAt: timestamp().meta({ description: 'When the next month opens' }),
  })
  .meta({ id: 'MonthlyQuota' });

const flatQuota = {
  quotaSeconds: limit,
  usedSeconds: amount,
  remainingSeconds: balance,
  alertQuota: limit,
  alertUsed: amount,
  alertRemaining: balance,
  attributeQuota: limit,
  attributeUsed: amount,
  attributeRemaining: balance,
  vlmQuota: limit,
  vlmUsed: amount,
  vlmRemaining: balance,
};

export const legacyQuota = z
  .strictObject({ userId: id(), period: shownMonth, ...flatQuota, resetAt: timestamp() })
  .meta({ id: 'LegacyQuota' });

export const deviceUsage = z
  .strictObject({
    deviceId: id(),
    deviceName: z.string(),
    period: shownMonth,
    ...flatQuota,
    isDisabled: z.boolean().meta({ description: 'Disabled by the operator: its analysis does not start' }),
    isUnlimited: z.boolean().meta({ description: 'The device has no limit of analysis seconds' }),
    usagePercentage: percent.meta({
      description: 'Percentage of the analysis seconds; null where there is no limit',
    }),
  })
  .meta({ id: 'DeviceUsage' });

const featureUsage = z
  .strictObject({
    used: amount,
    limit,
    balance,
    isExceeded: z.boolean().meta({ description: 'Nothing is left' }),
  })
  .meta({ id: 'FeatureUsage' });

export const userUsage = z
  .strictObject({ userId: id(), period: shownMonth, ...perFeature(() => featureUsage) })
  .meta({ id: 'UserUsage' });

const summaryFeature = z
  .strictObject({
    unit: z.enum(Object.values(UNITS)),
    ...featureUsage.shape,
    usagePercentage: percent.meta({ description: 'Percentage of the limit; null where there is none' }),
  })
  .meta({ id: 'SummaryFeature' });

export const summary = z
  .strictObject({
    billingPeriod: shownMonth,
    periodStart: timestamp(),
    periodEnd: timestamp().meta({ description: 'First instant after the month' }),
    features: z.strictObject(perFeature(() => summaryFeature)),
    usageByType: z.array(
      z.strictObject({
        type: z.literal('queue_analysis'),
        ...four(amount),
        percentage: percent.meta({
          description: 'Percentage of all analysis seconds; null where there are none',
        }),
      }),
    ),
  })
  .meta({ id: 'BillingSummary' });

export const deviceShare = z
  .strictObject({
    deviceId: id(),
    deviceName: z.string(),
    ...four(amount),
    percentage: percent.meta({
      description: 'Percentage of the user’s analysis seconds on all devices; null where there are none',
    }),
  })
  .meta({ id: 'DeviceShare' });

export const usageEvent = z
  .strictObject({
    id: id(),
    deviceId: id().nullable().meta({ description: 'Null where no device is involved, as for a search' }),
    sceneId: id().nullable(),
    featureType,
    quantity: amount.meta({ description: 'In `unit`; negative for a return' }),
    unit: z.enum(Object.values(UNITS)),
    sourceId: z.string().meta({ description: 'Names what was charged' }),
    occurredAt: timestamp(),
    createdAt: timestamp(),
  })
  .meta({ id: 'UsageEvent' });

export const trend = z
  .strictObject({
    granularity: z.enum(['day', 'month']),
    startDate: timestamp(),
    endDate: timestamp(),
    deviceId: id().nullable(),
    data: z.array(z.strictObject({ windowStart: timestamp(), windowEnd: timestamp(), ...four(amount) })),
  })
  .meta({ id: 'UsageTrend' });

const periodTotals = z
  .strictObject({
    period: shownMonth,
    windowStart: timestamp().meta({ description: 'First instant that is counted' }),
    windowEnd: timestamp().meta({
      description:
        'First instant that is no longer counted: the month’s end, or earlier where the compared month is not over',
    }),
    ...four(amount),
  })
  .meta({ id: 'PeriodTotals' });
const change = z
  .strictObject({
    absolute: amount,
    percent: percent.meta({ description: 'Percentage of the total in `previous`; null where that is 0' }),
  })
  .meta({ id: 'UsageChange' });

export const comparison = z
  .strictObject({
    current: periodTotals,
    previous: periodTotals,
    change: z.strictObject({
      analysisSeconds: change,
      alertCount: change,
      attributeCount: change,
      vlmTokens: change,
    }),
  })
  .meta({ id: 'UsageComparison' });

const method = z.enum(['straight_line', 'linear_trend', 'weekly_seasonal']).meta({
  description:
    'The model that explains the days of the last eight weeks best for its size. `straight_line`: the mean day. `linear_trend`: a line through the days. `weekly_seasonal`: a mean for each weekday, on a line where there is a trend',
});
const featureForecast = z
  .strictObject({
    method,
    usedToDate: amount,
    projected: amount.meta({ description: 'Expected usage at the end of the month' }),
    lowerBound: amount.nullable().meta({
      description:
        'Bounds of the 80 % prediction interval: four months in five end between them; null before three whole days',
    }),
    upperBound: amount.nullable(),
    limit,
    projectedPercentage: percent.meta({ description: 'Of the limit' }),
    projectedExceedAt: timestamp().nullable().meta({
      description:
        'When the limit will be reached; `asOf` where it is reached already; null: not in this month',
    }),
  })
  .meta({ id: 'FeatureForecast' });

export const forecastResponse = z
  .strictObject({
    period: shownMonth,
    asOf: timestamp(),
    elapsedRatio: z.number().meta({ description: 'Elapsed part of the month, 0-1' }),
    method,
    features: z.strictObject(perFeature(() => featureForecast)),
  })
  .meta({ id: 'UsageForecast' });

export const transaction = z
  .strictObject({
    id: id(),
    featureType,
    type: transactionType,
    source,
    amount: amount.meta({ description: 'In the feature’s unit, never negative' }),
    balanceBefore: amount,
    balanceAfter: amount,
    deviceId: id().nullable().meta({ description: 'The device on which it was used' }),
    referenceId: id().nullable().meta({ description: 'The usage event, or the id that the operator gave' }),
    reason: z.string().nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'QuotaTransaction' });

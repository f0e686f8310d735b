import { z } from 'zod';
import { user } from '../access/schema.ts';
import { id, orderedRange, timestamp, utcRangeFields, utcTime } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { DeviceKind, QuotaSource, TransactionType } from '../platform/prisma-client/enums.ts';
import { FEATURES, perFeature, UNITS, withApiNames } from './features.ts';

const month = z
  .string()
  .refine((text) => /^2\d{3}-(0[1-9]|1[0-2])$/.test(text), {
    error: 'must be a month like 2026-01, from 2000-01 to 2999-12',
    params: { code: 'INVALID_BILLING_PERIOD' },
  })
  .meta({ override: { type: 'string', pattern: '^2\\d{3}-(0[1-9]|1[0-2])$' } });

const billingPeriod = month
  .optional()
  .meta({ description: 'Month in UTC, `YYYY-MM`; default: the current month' });
export const periodQuery = z.object({ billingPeriod });
export const usagePeriodQuery = z.object({ period: billingPeriod });
export const byDeviceQuery = z.object({ billingPeriod, ...pageFields() });

const featureType = z.enum(FEATURES);
const transactionType = z.enum(TransactionType);
const source = z.enum(QuotaSource);
const historyFields = {
  billingPeriod: month.optional().meta({ description: 'Only this month, `YYYY-MM`' }),
  featureType: featureType.optional(),
  ...utcRangeFields,
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
    startDate: utcTime()
      .optional()
      .meta({ description: 'Start of the range; default: 30 days or 12 months before the end' }),
    endDate: utcTime().optional().meta({ description: 'End of the range; default: now' }),
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
      'Seconds of analysis. Each scene counts separately, also when two scenes of one device run at the same time',
  }),
  alertCount: schema.meta({ description: 'Alerts' }),
  attributeCount: schema.meta({ description: 'Attribute records' }),
  vlmTokens: schema.meta({ description: 'Tokens of the visual language model' }),
});

const limit = amount.nullable().meta({ description: 'Limit; null if unlimited' });
const balance = amount
  .nullable()
  .meta({ description: 'Remainder; negative if alerts exceeded the limit; null if unlimited' });
const quota = z.strictObject({ limit, used: amount, balance }).meta({ id: 'QuotaBalance' });

export const monthlyQuota = z
  .strictObject({
    userId: id(),
    period: shownMonth,
    ...withApiNames(perFeature(() => quota)),
    resetAt: timestamp().meta({ description: 'Start of the next month' }),
  })
  .meta({ id: 'MonthlyQuota' });

export const userDetail = z
  .strictObject({
    ...user.shape,
    monthlyLimits: z
      .strictObject(withApiNames(perFeature(() => limit)))
      .meta({ description: 'Limits with which each month begins' }),
    month: monthlyQuota.meta({ description: 'Limits, usage and remainder of this month, with top-ups' }),
  })
  .meta({ id: 'UserDetail', description: 'A user with quotas' });

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

const deviceType = z.enum(DeviceKind).meta({
  description: '`recording` for an uploaded recording, `camera` for every other device',
});

export const deviceUsage = z
  .strictObject({
    deviceId: id(),
    deviceName: z.string(),
    period: shownMonth,
    ...flatQuota,
    isDisabled: z.boolean().meta({
      description: 'Whether the operator disabled the device; analysis of a disabled device does not start',
    }),
    isUnlimited: z.boolean().meta({ description: 'Whether the device has no limit of analysis seconds' }),
    usagePercentage: percent.meta({
      description: 'Used percentage of the analysis seconds; null if there is no limit',
    }),
    deviceType,
  })
  .meta({ id: 'DeviceUsage' });

const featureUsage = z
  .strictObject({
    used: amount,
    limit,
    balance,
    isExceeded: z.boolean().meta({ description: 'Whether the quota is used up' }),
  })
  .meta({ id: 'FeatureUsage' });

export const userUsage = z
  .strictObject({ userId: id(), period: shownMonth, ...perFeature(() => featureUsage) })
  .meta({ id: 'UserUsage' });

const summaryFeature = z
  .strictObject({
    unit: z.enum(Object.values(UNITS)),
    ...featureUsage.shape,
    usagePercentage: percent.meta({ description: 'Used percentage of the limit; null if there is no limit' }),
  })
  .meta({ id: 'SummaryFeature' });

export const summary = z
  .strictObject({
    billingPeriod: shownMonth,
    periodStart: timestamp(),
    periodEnd: timestamp().meta({ description: 'End of the month (first moment after it)' }),
    features: z.strictObject(perFeature(() => summaryFeature)),
    usageByType: z.array(
      z.strictObject({
        type: z.literal('queue_analysis'),
        ...four(amount),
        percentage: percent.meta({
          description: 'Percentage of all analysis seconds; null if there are none',
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
      description: 'Percentage of the analysis seconds of all devices of the user; null if there are none',
    }),
    deviceType,
  })
  .meta({ id: 'DeviceShare' });

export const usageEvent = z
  .strictObject({
    id: id(),
    deviceId: id()
      .nullable()
      .meta({ description: 'Null if no device is involved, for example for a search' }),
    sceneId: id().nullable(),
    featureType,
    quantity: amount.meta({ description: 'Amount in `unit`; negative for a return' }),
    unit: z.enum(Object.values(UNITS)),
    sourceId: z.string().meta({ description: 'Id of what was charged' }),
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
    windowStart: timestamp().meta({ description: 'Start of the compared period, included' }),
    windowEnd: timestamp().meta({
      description:
        'End of the compared period, not included; earlier than the end of the month if the compared month is not over',
    }),
    ...four(amount),
  })
  .meta({ id: 'PeriodTotals' });
const change = z
  .strictObject({
    absolute: amount.meta({ description: 'Later value minus earlier value, in the unit of the feature' }),
    percent: percent.meta({ description: 'Change as a percentage of `previous`; null if that is 0' }),
  })
  .meta({ id: 'UsageChange' });

export const comparison = z
  .strictObject({
    current: periodTotals,
    previous: periodTotals,
    change: z.strictObject(withApiNames(perFeature(() => change))),
  })
  .meta({ id: 'UsageComparison' });

const method = z.enum(['straight_line', 'linear_trend', 'weekly_seasonal']).meta({
  description:
    'Model that fits the days of the last eight weeks best for its number of parameters. `straight_line`: the mean of the days. `linear_trend`: a line through the days. `weekly_seasonal`: a mean per weekday, plus a line if there is a trend',
});
const featureForecast = z
  .strictObject({
    method,
    usedToDate: amount.meta({ description: 'Usage so far, in the unit of the feature' }),
    projected: amount.meta({ description: 'Expected usage at the end of the month' }),
    lowerBound: amount.nullable().meta({
      description: 'Bounds of the 80 % prediction interval; null before three whole days of data',
    }),
    upperBound: amount.nullable(),
    limit,
    projectedPercentage: percent.meta({ description: 'Percentage of the limit' }),
    projectedExceedAt: timestamp().nullable().meta({
      description:
        'When the limit will be reached; equal to `asOf` if it is already reached; null if not in this month',
    }),
  })
  .meta({ id: 'FeatureForecast' });

export const forecastResponse = z
  .strictObject({
    period: shownMonth,
    asOf: timestamp(),
    elapsedRatio: z.number().meta({ description: 'Elapsed fraction of the month, 0-1' }),
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
    amount: amount.meta({ description: 'Amount in the unit of the feature, never negative' }),
    balanceBefore: amount.meta({ description: 'Balance before this entry, in the unit of the feature' }),
    balanceAfter: amount.meta({ description: 'Balance after this entry, in the unit of the feature' }),
    deviceId: id().nullable().meta({ description: 'Device that used it' }),
    referenceId: id().nullable().meta({ description: 'Usage event, or the id that the operator gave' }),
    reason: z.string().nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'QuotaTransaction' });

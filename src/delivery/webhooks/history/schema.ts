import { z } from 'zod';
import { time, timestamp } from '../../../http/fields.ts';
import { timezone } from '../../../platform/jobs/schedule.ts';

/** Most events that one call delivers again. */
export const MOST_RECOVERED = 1_000;

export const recoverBody = z
  .strictObject({
    since: time().meta({
      description: 'Events whose last attempt was scheduled at this time or later are delivered again',
    }),
    until: time().optional().meta({ description: 'End of that range, not included; default: now' }),
  })
  .superRefine(({ since, until }, context) => {
    if (!until || since <= until) return;
    const message = `must not lie after until, ${until.toISOString()}`;
    context.addIssue({ code: 'custom', path: ['since'], message, params: { code: 'INVALID_DATE_RANGE' } });
  });

export const recovered = z
  .strictObject({
    scheduledCount: z.int().meta({ description: 'Number of events that are delivered again' }),
    remainingCount: z.int().meta({
      description: `Number of events that this call left out, because it delivers at most ${MOST_RECOVERED}, the oldest first: repeat it`,
    }),
  })
  .meta({ id: 'RecoveredDeliveries' });

export const deliveryStatsQuery = z.object({
  from: time()
    .optional()
    .meta({ description: 'Start of the range, included; default: 7 days before the end' }),
  to: time().optional().meta({ description: 'End of the range, not included; default: now' }),
  bucket: z.enum(['hour', 'day']).default('day').meta({ description: 'Length of a bucket' }),
  timezone: timezone
    .default('UTC')
    .meta({ description: 'IANA time zone in which hours and days are cut; default: UTC' }),
});
export type DeliveryStatsQuery = z.output<typeof deliveryStatsQuery>;

const counts = {
  attempts: z.int().meta({ description: 'Number of attempts that were made' }),
  success: z.int().meta({ description: 'Number of attempts that the receiver accepted' }),
  failed: z.int().meta({ description: 'Number of attempts that failed' }),
  p50ResponseMs: z
    .number()
    .nullable()
    .meta({ description: 'Half of the answers took no longer, milliseconds; null without answers' }),
  p95ResponseMs: z
    .number()
    .nullable()
    .meta({ description: '95 % of the answers took no longer, milliseconds; null without answers' }),
};

export const deliveryStats = z
  .strictObject({
    from: timestamp().meta({ description: 'Start of the first bucket' }),
    to: timestamp().meta({ description: 'End of the last bucket' }),
    bucket: z.enum(['hour', 'day']).meta({ description: 'Length of a bucket' }),
    timezone: z.string().meta({ description: 'IANA time zone in which hours and days are cut' }),
    total: z.strictObject(counts).meta({ description: 'The whole range' }),
    buckets: z
      .array(z.strictObject({ start: timestamp().meta({ description: 'Start of the bucket' }), ...counts }))
      .meta({ description: 'All buckets of the range, also those without attempts, oldest first' }),
  })
  .meta({ id: 'DeliveryStats', description: 'Attempts of deliveries by the time when they were scheduled' });

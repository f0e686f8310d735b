import { z } from 'zod';
import { time, timestamp } from '../http/fields.ts';
import { timezone } from '../platform/jobs/schedule.ts';
import { BUCKETS, MAX_POINTS } from './buckets.ts';
import { entryOf, GROUP_METRIC_NAMES, GROUP_METRICS, type GroupMetricName } from './group-metrics.ts';

const FIRST_YEAR = 2000;
const LAST_YEAR = 2999;

const zone = timezone.optional().meta({
  description:
    'IANA time zone in which days and hours are cut; default: that of the device or site, or else UTC',
});

/** `from` and `to` of a half-open range. @param span the default length, in words */
const rangeOf = (span: string) => ({
  from: time()
    .optional()
    .meta({ description: `Start of the range, included; default: ${span} before the end` }),
  to: time().optional().meta({ description: 'End of the range, not included; default: now' }),
});

interface Range {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Refinement: times lie in years that have rows, and the range is not empty. */
export function filledRange({ from, to }: Range, context: z.RefinementCtx): void {
  const params = { code: 'INVALID_DATE_RANGE' };
  for (const [path, at] of Object.entries({ from, to })) {
    const year = at?.getUTCFullYear() ?? FIRST_YEAR;
    if (year >= FIRST_YEAR && year <= LAST_YEAR) continue;
    const message = `must lie in the years ${FIRST_YEAR} to ${LAST_YEAR}`;
    context.addIssue({ code: 'custom', path: [path], message, params });
  }
  if (!from || !to || from < to) return;
  const message = `must lie before to, ${to.toISOString()}`;
  context.addIssue({ code: 'custom', path: ['from'], message, params });
}

export const seriesQuery = z
  .object({
    ...rangeOf('24 hours'),
    bucket: z
      .enum(BUCKETS)
      .optional()
      .meta({ description: 'Length of a bucket; default: the shortest that gives at most 400 points' }),
    timezone: zone,
  })
  .superRefine(filledRange);

const describe = (name: GroupMetricName): string =>
  GROUP_METRICS[name].description ?? entryOf(name).description;

/** The schema of a metric of a group; null where nothing was measured. */
const metricValue = (name: GroupMetricName) =>
  (entryOf(name).type === 'integer' || name === 'maxInService' ? z.int() : z.number()).nullable();

/** A schema for each metric of a group. */
export const perMetric = <Schema extends z.ZodType>(
  schemaOf: (value: z.ZodNullable<z.ZodNumber>, description: string) => Schema,
) =>
  Object.fromEntries(
    GROUP_METRIC_NAMES.map((name) => [name, schemaOf(metricValue(name), describe(name))]),
  ) as Record<GroupMetricName, Schema>;

const COVERAGE =
  'Percentage of the time with frames, 0-100. Of a site, that of the scene with the least; of an unfinished bucket, of the part until now';
const bucketName = z.enum(BUCKETS).meta({ description: 'Length of a bucket' });
const zoneName = z.string().meta({ description: 'IANA time zone in which days and hours were cut' });

export const series = z
  .strictObject({
    from: timestamp().meta({ description: 'Start of the first bucket' }),
    to: timestamp().meta({ description: 'End of the last bucket' }),
    bucket: bucketName,
    timezone: zoneName,
    unfinishedIndex: z.int().nullable().meta({
      description:
        'Index of the bucket that has not ended, whose numbers still change; null if all have ended or none has begun',
    }),
    t: z.array(timestamp()).max(MAX_POINTS).meta({ description: 'Start of each bucket' }),
    coveragePercent: z.array(z.number()).meta({ description: COVERAGE }),
    ...perMetric((value, description) => z.array(value).meta({ description })),
  })
  .meta({
    id: 'MetricSeries',
    description:
      'Metrics over time in columns: each list has one value per bucket; null where nothing was measured',
  });

export const seriesRow = z.strictObject({
  t: timestamp(),
  coveragePercent: z.number(),
  isUnfinished: z.boolean(),
  ...perMetric((value) => value),
});

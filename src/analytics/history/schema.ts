import { z } from 'zod';
import { type HistoryName, IN_HISTORY } from '../../catalogue/metrics/all.ts';
import { DURATIONS } from '../../catalogue/metrics/counted.ts';
import { NO_ERRORS } from '../../catalogue/metrics/expected-error.ts';
import type { DistributionName } from '../../catalogue/metrics/sums.ts';
import { flag, id, time, timestamp } from '../../http/fields.ts';
import { pageFields } from '../../http/paging.ts';
import { typeOf } from '../../metrics/catalogue.ts';
import { timezone } from '../../platform/jobs/schedule.ts';
import { VisitOutcome } from '../../platform/prisma-client/enums.ts';
import { tillIdSchema } from '../../vision/tills/till-schema.ts';
import { BUCKETS, MAX_POINTS } from './buckets.ts';
import { ERROR_NAMES } from './group-metrics.ts';
import { NO_USUAL, USUAL_WEEKS } from './usual/read-usual.ts';
import { LEAST_WEEKS, USUAL_NAMES, type UsualName } from './usual/usual-bands.ts';

const FIRST_YEAR = 2000;
const LAST_YEAR = 2999;

export const zone = timezone.optional().meta({
  description:
    'IANA time zone in which days and hours are cut; default: that of the device or site, or else UTC',
});

/** `from` and `to` of a half-open range. @param span the default length, in words */
export const rangeOf = (span: string) => ({
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
    usual: flag().default(false).meta({
      description: 'Answer with the usual band of each bucket (in JSON only)',
    }),
  })
  .superRefine(filledRange);

/** A schema for each metric of a group; null where nothing was measured. */
export const perMetric = <Schema extends z.ZodType>(
  schemaOf: (value: z.ZodNullable<z.ZodNumber>, description: string) => Schema,
) =>
  Object.fromEntries(
    IN_HISTORY.map((metric) => [
      metric.history.name,
      schemaOf((typeOf(metric) === 'integer' ? z.int() : z.number()).nullable(), metric.description),
    ]),
  ) as Record<HistoryName, Schema>;

const COVERAGE =
  'Percentage of the time with frames, 0-100; of the open hours where a site has them. Of a site, that of the scene with the least; of an unfinished bucket, of the part until now';
const OPEN =
  'Percentage of the time that lies in the opening hours, 0-100: only that is counted. Null where no site says when it is open';
const bucketName = z.enum(BUCKETS).meta({ description: 'Length of a bucket' });
export const zoneName = z.string().meta({ description: 'IANA time zone in which days and hours were cut' });

const noError = z.enum(NO_ERRORS).nullable();
const edge = (description: string) => z.array(z.number().nullable()).meta({ description });
const band = (name: UsualName) =>
  z
    .strictObject({ low: edge('Lower edge in each bucket'), high: edge('Upper edge in each bucket') })
    .meta({ description: `Usual band of \`${name}\`` });
const bands = Object.fromEntries(USUAL_NAMES.map((name) => [name, band(name)])) as Record<
  UsualName,
  ReturnType<typeof band>
>;

const usual = z
  .strictObject({
    reason: z
      .enum(NO_USUAL)
      .nullable()
      .meta({
        description: `Why there is no band at all: \`learning\`: no bucket was seen in ${LEAST_WEEKS} of the ${USUAL_WEEKS} weeks before; \`longBucket\`: weeks and months have none; null: there is one`,
      }),
    ...bands,
  })
  .meta({
    id: 'UsualBands',
    description: `Between which numbers eight of ten ordinary values lie, from the same bucket of the ${USUAL_WEEKS} weeks before and those beside it; null where it was seen in fewer than ${LEAST_WEEKS} of them`,
  });

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
    expectedErrorReason: z.array(noError).meta({
      description: 'Why `expectedErrorPercent` is null; null where it is not',
    }),
    ...perMetric((value, description) => z.array(value).meta({ description })),
    openPercent: z.array(z.number()).nullable().meta({ description: OPEN }),
    usual: usual.optional().meta({ description: 'What is usual; only if asked for with `usual=true`' }),
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
  expectedErrorReason: noError,
  openPercent: z.number().nullable(),
});

const week = <Schema extends z.ZodType>(cell: Schema) => z.array(z.array(cell).length(24)).length(7);

export const heatmapQuery = z.object({ ...rangeOf('28 days'), timezone: zone }).superRefine(filledRange);

export const heatmap = z
  .strictObject({
    from: timestamp().meta({ description: 'Start of the first hour' }),
    to: timestamp().meta({ description: 'End of the last hour' }),
    timezone: zoneName,
    hours: week(z.number()).meta({
      description:
        'Hours of the range in each cell, until now, of which only open ones count where the site has opening hours: divide counts by it to compare cells',
    }),
    coveragePercent: week(z.number()).meta({ description: COVERAGE }),
    ...perMetric((value, description) => week(value).meta({ description })),
    openPercent: week(z.number()).nullable().meta({ description: OPEN }),
  })
  .meta({
    id: 'MetricHeatmap',
    description:
      'Metrics by weekday and hour of day: each field has seven lists, Monday first, of 24 hours; null where nothing was measured',
  });

/** Numbers separated by commas; the result is ascending, without repetitions. */
const numberList = (largest: number, { most, whole }: { most: number; whole?: true }) => {
  const number = z.coerce.number<string>();
  const part = (whole ? number.int() : number).min(whole ? 1 : 0).max(largest);
  return z
    .string()
    .max(2_000)
    .regex(/^\s*[\d.]+\s*(,\s*[\d.]+\s*)*$/, 'must be numbers separated by commas, like 60,300')
    .transform((text) => text.split(','))
    .pipe(z.array(part).max(most))
    .transform((numbers) => [...new Set(numbers)].sort((a, b) => a - b));
};

const DAY_SECONDS = 86_400;
const MOST_BINS = 100;
const USUAL_EDGES = [15, 30, 60, 90, 120, 180, 240, 300, 450, 600, 900, 1200, 1800];
const USUAL_LIMITS = [60, 180, 300, 600];
const USUAL_LENGTHS = [1, 3, 5, 10];

export const distributionQuery = z
  .object({
    ...rangeOf('24 hours'),
    edgeSeconds: numberList(DAY_SECONDS, { most: MOST_BINS })
      .optional()
      .meta({
        description: `Edges of the bins in seconds, separated by commas; default: ${USUAL_EDGES.join(',')}`,
        override: { type: 'string' },
        examples: ['30,60,120,300'],
      }),
    stepSeconds: z.coerce.number().min(1).max(3600).optional().meta({
      description: 'Width of the bins in seconds, instead of `edgeSeconds`; the last bin begins at 20 steps',
    }),
    longerThanSeconds: numberList(DAY_SECONDS, { most: 20 })
      .default(USUAL_LIMITS)
      .meta({
        description: `Count those who took longer than so many seconds; separated by commas; default: ${USUAL_LIMITS.join(',')}`,
        override: { type: 'string' },
        examples: ['60,300'],
      }),
    minQueueLength: numberList(1_000, { most: 20, whole: true })
      .default(USUAL_LENGTHS)
      .meta({
        description: `Count the minutes with at least so many people in the queue; separated by commas; default: ${USUAL_LENGTHS.join(',')}`,
        override: { type: 'string' },
        examples: ['3,5'],
      }),
  })
  .superRefine(filledRange)
  .superRefine(({ edgeSeconds, stepSeconds }, context) => {
    if (!edgeSeconds || !stepSeconds) return;
    const message = 'must not be given together with edgeSeconds';
    context.addIssue({ code: 'custom', path: ['stepSeconds'], message });
  })
  .transform(({ edgeSeconds, stepSeconds, ...query }) => ({
    ...query,
    edges: stepSeconds
      ? Array.from({ length: 20 }, (_, at) => Math.round((at + 1) * stepSeconds * 1000) / 1000)
      : (edgeSeconds ?? USUAL_EDGES).filter((edge) => edge > 0),
  }));

const count = z.int();
const seconds = z.number().nullable();
const durations = z
  .strictObject({
    count: count.meta({ description: 'Number of people' }),
    avgSeconds: seconds.meta({ description: 'Average' }),
    p50Seconds: seconds.meta({ description: 'Median' }),
    p90Seconds: seconds.meta({ description: '90 % took no longer' }),
    maxSeconds: seconds.meta({ description: 'Longest' }),
    bins: z
      .array(
        z.strictObject({
          fromSeconds: z.number().meta({ description: 'Start of the bin, included' }),
          toSeconds: z
            .number()
            .nullable()
            .meta({ description: 'End of the bin, not included; null for the last' }),
          count: count.meta({ description: 'Number of people' }),
        }),
      )
      .meta({ description: 'Histogram, shortest first' }),
    longerThan: z
      .array(
        z.strictObject({
          seconds: z.number().meta({ description: 'Limit' }),
          count: count.meta({ description: 'People who took longer' }),
          share: z.number().nullable().meta({ description: 'Their share, 0-1; null if there is nobody' }),
        }),
      )
      .meta({ description: 'How many people took longer than each limit' }),
  })
  .meta({ id: 'Durations', description: 'How long people took' });

const perDuration = Object.fromEntries(
  Object.values(DURATIONS).map(({ distribution: { name, description } }) => [
    name,
    durations.nullable().meta({ description }),
  ]),
) as Record<DistributionName, z.ZodNullable<typeof durations>>;

const NUMBERS = perMetric((value, description) => value.meta({ description }));
const errors = Object.fromEntries(ERROR_NAMES.map((name) => [name, NUMBERS[name]])) as Pick<
  typeof NUMBERS,
  (typeof ERROR_NAMES)[number]
>;

export const distribution = z
  .strictObject({
    from: timestamp().meta({ description: 'Start of the range' }),
    to: timestamp().meta({ description: 'End of the range' }),
    coveragePercent: z.number().meta({ description: COVERAGE }),
    ...errors,
    expectedErrorReason: noError.meta({
      description: 'Why `expectedErrorPercent` is null; null where it is not',
    }),
    ...perDuration,
    serviceLevel: z
      .strictObject({
        inTime: count.meta({ description: 'Served within the target' }),
        late: count.meta({ description: 'Served later' }),
        gaveUpLate: count.meta({ description: 'Gave up after the target' }),
        gaveUpEarly: count.meta({
          description:
            'Gave up within the target: nobody knows whether it would have been missed. Not in the level',
        }),
        level: z.number().nullable().meta({
          description: '`inTime` ÷ (`inTime` + `late` + `gaveUpLate`), 0-1; null where these are 0',
        }),
      })
      .nullable()
      .meta({
        description:
          'How many people were served within the target that held when their visit was decided; null if none had one',
      }),
    queue: z
      .strictObject({
        minutesMeasured: count.meta({ description: 'Minutes with frames' }),
        levels: z
          .array(
            z.strictObject({
              minQueueLength: count.meta({ description: 'Number of people in the queue' }),
              minutesByAverage: count.meta({ description: 'Minutes whose average is at least that' }),
              minutesByMaximum: count.meta({ description: 'Minutes whose longest queue is at least that' }),
            }),
          )
          .meta({ description: 'One entry for each `minQueueLength`' }),
      })
      .nullable()
      .meta({
        description:
          'Minutes by the length of the queue; null if no zone measures it, or if the minutes of a site are removed',
      }),
  })
  .meta({
    id: 'Distribution',
    description: 'How long people waited and were served, and for how many minutes the queue was long',
  });

const placeFilter = (what: string) =>
  id()
    .optional()
    .meta({ description: `Only visits of this ${what}` });

export const visitsQuery = z
  .object({
    sceneId: placeFilter('scene'),
    deviceId: placeFilter('device'),
    siteId: placeFilter('site'),
    from: time().optional().meta({ description: 'Only visits that were decided at this time or later' }),
    to: time().optional().meta({ description: 'Only visits that were decided before this time' }),
    outcome: z.enum(VisitOutcome).optional().meta({ description: 'Only visits that ended so' }),
    tillId: tillIdSchema.optional().meta({
      description: 'Only visits that were served at this till for most of the time of their service',
    }),
    ...pageFields(),
  })
  .superRefine(filledRange);

const seen = (what: string) =>
  timestamp()
    .nullable()
    .meta({ description: `${what}; null if it was not seen` });

export const visit = z
  .strictObject({
    id: id(),
    sceneId: id(),
    sceneName: z.string(),
    deviceId: id(),
    analysisId: id(),
    outcome: z.enum(VisitOutcome).meta({
      description: '`completed`: served; `abandoned`: left the queue unserved; `lost`: the end was not seen',
    }),
    arrivedAt: timestamp().meta({
      description: 'When the arrival was confirmed; it counts as an arrival then',
    }),
    decidedAt: timestamp().meta({ description: 'When the outcome was decided; it counts in metrics then' }),
    queueEnteredAt: seen('When the person joined the queue'),
    queueLeftAt: seen('When the person left the queue'),
    serviceStartedAt: seen('When service began'),
    serviceEndedAt: seen('When service ended'),
    tillId: z.string().nullable().meta({
      description:
        'The till of most of the time of the service; null where the visit was served at none, or its till is not known',
    }),
    tills: z
      .array(
        z.strictObject({
          tillId: z.string().meta({ description: 'Id of the till in the zones of the scene' }),
          startedAt: timestamp().meta({ description: 'When the service at this till began' }),
          endedAt: timestamp().meta({ description: 'When it ended' }),
          seconds: z.number().meta({ description: 'Its length' }),
        }),
      )
      .max(100)
      .meta({
        description:
          'The service at each till, in the order of time: several where the customer was sent from one to another; empty where it was at none',
      }),
    waitSeconds: seconds.meta({ description: 'Wait; null if it was not measured' }),
    serviceSeconds: seconds.meta({ description: 'Service; null if it was not measured' }),
  })
  .meta({ id: 'Visit', description: 'The way of one person through the zones' });

export const visitRow = visit.omit({ tills: true });

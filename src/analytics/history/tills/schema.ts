import { z } from 'zod';
import { timestamp } from '../../../http/fields.ts';
import { TILL_STATES } from '../../../vision/tills/till-state.ts';
import { MAX_POINTS } from '../buckets.ts';
import { series } from '../schema.ts';

const seconds = z.number().nullable();
const SERVICES = 'Completed services; one of a customer who was sent to another till counts at both';
const SENTENCES = {
  services: SERVICES,
  avgServiceSeconds: 'Average length of these services; null without one',
  p90ServiceSeconds: 'Nine of ten of these services were shorter; null without one',
  servingSeconds: 'Time in which somebody was served there',
  freeSeconds: 'Time in which it was open and nobody was served',
  closedSeconds: 'Time in which it was closed',
  unknownSeconds: 'Time without frames, until now',
  utilization: 'Share of its open time in which somebody was served there, 0-1; null while it was never open',
} as const;

/** The numbers of a till. */
const NUMBERS = {
  services: z.int(),
  avgServiceSeconds: seconds,
  p90ServiceSeconds: seconds,
  servingSeconds: z.int(),
  freeSeconds: z.int(),
  closedSeconds: z.int(),
  unknownSeconds: z.int(),
  utilization: z.number().nullable(),
} as const;

type Name = keyof typeof NUMBERS;
const NAMES = Object.keys(NUMBERS) as Name[];

const perNumber = <Schema extends z.ZodType>(schemaOf: (name: Name) => Schema) =>
  Object.fromEntries(NAMES.map((name) => [name, schemaOf(name)])) as Record<Name, Schema>;

/** The numbers of a till in a period. */
export const TILL_NUMBERS = perNumber((name) => NUMBERS[name].meta({ description: SENTENCES[name] }));

const WINDOW = {
  avgOpenTills: 'Mean number of open tills; null without frames',
  tillUtilization: 'Share of the open time in which somebody was served, 0-1; null while no till was open',
  waitedWithFreeTillSeconds:
    'Time in which somebody waited while a till that serves their line was free; null without frames',
} as const;
const windowOf = <Schema extends z.ZodType>(schemaOf: (sentence: string) => Schema) =>
  Object.fromEntries(Object.entries(WINDOW).map(([name, sentence]) => [name, schemaOf(sentence)])) as Record<
    keyof typeof WINDOW,
    Schema
  >;

const { from, to, bucket, timezone, unfinishedIndex, t } = series.shape;
const tillId = z.string().meta({ description: 'Id of the till in the zones of the scene' });

const span = z.strictObject({
  state: z.enum(TILL_STATES).meta({
    description:
      '`serving`: somebody was served; `free`: open, nobody served; `closed`; `unknown`: no frames. States of the last 30 seconds are not told yet',
  }),
  from: timestamp().meta({ description: 'Start of the state' }),
  to: timestamp().meta({ description: 'End of the state' }),
});

const till = z.strictObject({
  tillId,
  name: z.string().meta({ description: 'As it was called last in the range' }),
  ...perNumber((name) => NUMBERS[name].meta({ description: `${SENTENCES[name]}, in the whole range` })),
  series: z
    .strictObject(perNumber((name) => z.array(NUMBERS[name]).meta({ description: SENTENCES[name] })))
    .meta({ description: 'The same in columns: each list has one value per bucket' }),
  spans: z.array(span).nullable().meta({
    description:
      'The states in the order of time, to the second; null in a range of more than 25 hours. Of times whose minutes are removed (MINUTE_RETENTION_DAYS) they are unknown',
  }),
});

export const tills = z
  .strictObject({
    ...{ from, to, bucket, timezone, unfinishedIndex },
    ...windowOf((sentence) => seconds.meta({ description: `${sentence}; in the whole range` })),
    t,
    series: z
      .strictObject(windowOf((sentence) => z.array(seconds).max(MAX_POINTS).meta({ description: sentence })))
      .meta({ description: 'The same in columns: each list has one value per bucket' }),
    tills: z.array(till).meta({
      description:
        'The tills of the scene in their order, then those that it had in the range and has no more; empty in a scene without tills',
    }),
  })
  .meta({ id: 'TillHistory', description: 'States and services of the tills of a scene over time' });

/** A row for each bucket and till. */
export const tillRow = z.strictObject({
  t: timestamp(),
  tillId,
  name: z.string(),
  ...perNumber((name) => NUMBERS[name]),
});

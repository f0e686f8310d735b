import { z } from 'zod';
import { id, orderedRange, rangeFields, time, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey } from '../vision/attributes/keys.ts';

const perKey = <Value extends z.ZodType>(value: Value) =>
  Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, value])) as Record<AttributeKey, Value>;

const persons = z.int().min(0);

const keys = z.array(z.enum(ALL_ATTRIBUTE_KEYS));
/** Of the networks' own words to the reader. */
const COVERED =
  'A key that is not among them is 0 because nobody looks for it. The embedded networks tell 21 of 27: never hat, glasses, shoulderBag, holdObjectsInFront, longCoat and boots; gender and age only of faces at least 56 pixels wide';
const coveredKeys = keys.nullable().meta({
  description: `Keys that the networks in use could tell at all; null in records of before it was kept. ${COVERED}`,
});

const brief = {
  id: id(),
  capturedAt: timestamp().meta({ description: 'Time of the frame' }),
  totalPersons: persons,
  attributes: z
    .strictObject(perKey(persons))
    .meta({ id: 'AttributeCounts', description: 'People in the picture of whom each attribute holds' }),
  known: z.strictObject(perKey(persons)).nullable().meta({
    description:
      'Of how many of totalPersons each attribute could be told, whether it holds or not: 0 of attributes means “none” only for these; null in records of before it was kept',
  }),
  coveredKeys,
};

export const insightAttributes = z.strictObject(brief).meta({ id: 'InsightAttributes' });

const listed = { ...brief, deviceId: id(), sceneId: id() };

export const attributeRecord = z.strictObject(listed).meta({ id: 'AttributeRecord' });

export const attributeDetail = z
  .strictObject({
    ...listed,
    userId: id(),
    computeNodeId: id().nullable(),
    insightId: id().nullable().meta({ description: 'The insight whose alert caused the capture' }),
    persons: z.array(
      z.strictObject({
        trackId: z.int().meta({ description: 'Unique within a run' }),
        box: z
          .strictObject({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })
          .meta({ description: 'Fractions of the picture' }),
        confidence: z.number().min(0).max(1),
        attributes: keys.meta({ description: 'Those that hold' }),
        known: keys.nullable().meta({
          description:
            'Those that could be told, whether they hold or not; null in records of before it was kept',
        }),
      }),
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'AttributeDetail' });

const place = { deviceId: id().optional(), sceneId: id().optional() };

export const listAttributesQuery = z
  .object({ ...pageFields(), ...place, ...rangeFields })
  .superRefine(orderedRange);
export type ListAttributes = z.output<typeof listAttributesQuery>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GROUPS = {
  hour: { lengthMs: HOUR_MS, maxDays: 31 },
  day: { lengthMs: DAY_MS, maxDays: 400 },
} as const;

export const attributeStatsQuery = z
  .object({
    startDate: time().meta({ description: 'From the hour of this time on' }),
    endDate: time().meta({ description: 'Before this time; its hour counts whole' }),
    ...place,
    groupBy: z.enum(['hour', 'day']).default('hour').meta({
      description: 'UTC hours, of at most 31 days, or UTC days, of at most 400',
    }),
  })
  .superRefine((query, context) => {
    orderedRange(query, context);
    const { maxDays } = GROUPS[query.groupBy];
    if (query.endDate.getTime() - query.startDate.getTime() <= maxDays * DAY_MS) return;
    const advice = query.groupBy === 'hour' ? '. Ask with groupBy=day for up to 400 days' : '';
    const message = `must lie within ${maxDays} days of startDate when grouped by ${query.groupBy}${advice}`;
    context.addIssue({ code: 'custom', path: ['endDate'], message, params: { code: 'INVALID_DATE_RANGE' } });
  });
export type AttributeStatsQuery = z.output<typeof attributeStatsQuery>;

export const lengthMsOf = (groupBy: AttributeStatsQuery['groupBy']): number => GROUPS[groupBy].lengthMs;

const gender = z.strictObject({ female: persons, male: persons });
const age = { ageLess18: persons, age18To60: persons, ageOver60: persons };

export const attributeStats = z
  .strictObject({
    totalRecords: z.int().meta({ description: 'Captures' }),
    totalPersons: persons.meta({ description: 'Each person once per run' }),
    genderDistribution: gender,
    ageDistribution: z.strictObject(age),
    known: z
      .strictObject({ ...gender.shape, ...age })
      .nullable()
      .meta({
        description:
          'Of how many of totalPersons each key could be told; null where the range has hours of before it was kept',
      }),
    coveredKeys: keys.meta({
      description: `The keys of this answer that the networks in use in the range could tell at all; empty where nothing was captured. ${COVERED}`,
    }),
    timeline: z
      .array(
        z.strictObject({
          timestamp: timestamp(),
          personCount: persons,
          attributes: gender,
          known: gender.nullable().meta({
            description: 'Of how many of personCount it could be told; null of before it was kept',
          }),
        }),
      )
      .meta({ description: 'Every hour or day of the range, also the empty ones' }),
  })
  .meta({ id: 'AttributeStats' });

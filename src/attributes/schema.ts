import { z } from 'zod';
import { id, orderedRange, rangeFields, time, timestamp } from '../http/fields.ts';
import { pageFields } from '../http/paging.ts';
import { ALL_ATTRIBUTE_KEYS, type AttributeKey, SENSITIVE_GROUPS } from '../vision/attributes/keys.ts';

const perKey = <Value extends z.ZodType>(value: Value) =>
  Object.fromEntries(ALL_ATTRIBUTE_KEYS.map((key) => [key, value])) as Record<AttributeKey, Value>;

const persons = z.int().min(0);

const OFF =
  '; null for gender or age while it is switched off (`attributeGroups` of the account and the device)';

const keys = z.array(z.enum(ALL_ATTRIBUTE_KEYS));
/** The model cards' terms for clients. */
const COVERED =
  'A key that is not among them is always 0. The embedded attribute models cover 21 of 27 keys: never hat, glasses, shoulderBag, holdObjectsInFront, longCoat and boots; gender and age only of faces at least 56 pixels wide';
const coveredKeys = keys.nullable().meta({
  description: `Attributes that the models in use can determine. ${COVERED}`,
});

const brief = {
  id: id(),
  capturedAt: timestamp().meta({ description: 'Time of the frame' }),
  totalPersons: persons,
  attributes: z
    .strictObject(perKey(persons.nullable()))
    .meta({ id: 'AttributeCounts', description: `Number of people in the image with each attribute${OFF}` }),
  known: z.strictObject(perKey(persons.nullable())).nullable().meta({
    description:
      'For each attribute, the number of people for whom it could be determined; a count of 0 in `attributes` is about these people only.',
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
    insightId: id().nullable().meta({ description: 'Insight whose alert caused the capture' }),
    persons: z.array(
      z.strictObject({
        trackId: z.int().meta({ description: 'Unique within a run' }),
        box: z
          .strictObject({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })
          .meta({ description: 'Box of the person, as fractions of the image' }),
        confidence: z.number().min(0).max(1),
        attributes: keys.meta({ description: 'Attributes that the person has' }),
        known: keys.nullable().meta({
          description: 'Attributes that could be determined for this person',
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
    startDate: time().meta({ description: 'Start of the range; its UTC hour counts as a whole' }),
    endDate: time().meta({ description: 'End of the range; its UTC hour counts as a whole' }),
    ...place,
    groupBy: z.enum(['hour', 'day']).default('hour').meta({
      description: '`hour` (ranges up to 31 days) or `day` (ranges up to 400 days), UTC',
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

const orNull = persons.nullable();
const gender = z.strictObject({ female: orNull, male: orNull });
const age = { ageLess18: orNull, age18To60: orNull, ageOver60: orNull };

export const attributeStats = z
  .strictObject({
    totalRecords: z.int().meta({ description: 'Number of captures' }),
    totalPersons: persons.meta({ description: 'Number of people; each counts once per run' }),
    switchedOff: z.array(z.enum(SENSITIVE_GROUPS)).meta({
      description:
        'What was switched off in at least a part of the range (`attributeGroups` of the account and the device): its numbers are null, or count the rest of the range only',
    }),
    genderDistribution: gender,
    ageDistribution: z.strictObject(age),
    known: z
      .strictObject({ ...gender.shape, ...age })
      .nullable()
      .meta({
        description: 'For each attribute, the number of people for whom it could be determined',
      }),
    coveredKeys: keys.meta({
      description: `Attributes of this answer that the models in use in the range can determine; empty if nothing was captured. ${COVERED}`,
    }),
    timeline: z
      .array(
        z.strictObject({
          timestamp: timestamp(),
          personCount: persons,
          attributes: gender,
          known: gender.nullable().meta({
            description: 'Number of people for whom it could be determined; null if this was not stored yet',
          }),
        }),
      )
      .meta({ description: 'Every hour or day of the range, including empty ones' }),
  })
  .meta({ id: 'AttributeStats' });

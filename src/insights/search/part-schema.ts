import { z } from 'zod';
import { id, text } from '../../http/fields.ts';
import { riskLevel, severity } from '../schema.ts';
import { BOUNDS, type Bound, MEASURES, type Measure } from './filters.ts';

/** Most conditions of one search. */
export const MOST_PARTS = 50;
/** As many as a search knows. */
const MOST_IDS = 2_000;
const MOST_FORMS = 50;
const MOST_AMOUNT = 1_000_000_000;

const common = {
  text: z.string().max(500).nullable().default(null).meta({
    description:
      'Words of the query from which the part comes; null where it comes from none. A search ignores them',
  }),
  excludeGroup: z.int().min(0).max(MOST_PARTS).nullable().default(null).meta({
    description:
      'Null for a condition that must hold. Insights that meet all parts with the same number are left out',
  }),
};

/** A time with a year that the database has. */
const moment = z.iso
  .datetime({ offset: true })
  .refine((at) => !at.startsWith('0000'), 'must lie in the years 1 to 9999')
  .nullable();

const times = z
  .strictObject({
    from: moment.meta({ description: 'Start, included; null for no start' }),
    before: moment.meta({ description: 'End, not included; null for no end' }),
  })
  .refine(({ from, before }) => from !== null || before !== null, 'must have from, before or both')
  .refine(({ from, before }) => from === null || before === null || new Date(from) < new Date(before), {
    path: ['from'],
    message: 'must lie before the end of the time',
  });

const ids = z.array(id()).max(MOST_IDS);
const place = z
  .strictObject({
    deviceIds: ids.meta({ description: 'Ids of devices' }),
    sceneIds: ids.meta({ description: 'Ids of scenes' }),
    names: z
      .array(z.string().max(200))
      .max(2 * MOST_IDS)
      .default([])
      .meta({ description: 'Names of these devices and scenes; a search ignores them' }),
  })
  .refine(({ deviceIds, sceneIds }) => deviceIds.length + sceneIds.length > 0, 'must name a device or scene');

const one = <Field extends string, Operator extends string, Value extends z.ZodType>(
  field: Field,
  operator: Operator,
  value: Value,
) =>
  z.strictObject({
    field: z.literal(field).meta({ description: 'What the condition is about' }),
    operator: z.literal(operator).meta({ description: 'How the value is compared' }),
    value,
    ...common,
  });

/** One condition of a search, as answers show it and requests send it back. */
export const searchPart = z
  .discriminatedUnion('field', [
    one('severity', 'is', severity.meta({ description: 'Severity of the alert event' })),
    one(
      'riskLevel',
      'oneOf',
      z.array(riskLevel).min(1).max(4).meta({ description: 'Any of these risk levels' }),
    ),
    z.strictObject({
      field: z.enum(Object.keys(MEASURES) as [Measure]).meta({
        description: 'People in the image, people in the queue, wait or service in seconds',
      }),
      operator: z.enum(Object.keys(BOUNDS) as [Bound]).meta({ description: 'How the number is compared' }),
      value: z.number().min(0).max(MOST_AMOUNT).meta({ description: 'Number' }),
      ...common,
    }),
    one('time', 'within', times.meta({ description: 'Time of the alert event' })),
    one('place', 'oneOf', place.meta({ description: 'Any of these devices and scenes' })),
    one('word', 'contains', text(1, 100).meta({ description: 'Word to find in the texts' })).extend({
      forms: z.array(text(1, 100)).min(1).max(MOST_FORMS).nullable().default(null).meta({
        description:
          'Beginnings of words, one of which must occur: translations and words of the same meaning. Leave it out, or send null, if you change the word',
      }),
    }),
  ])
  .meta({
    id: 'SearchPart',
    example: {
      ...{ field: 'queueLength', operator: 'moreThan', value: 5, excludeGroup: null },
      text: 'more than five people in line',
    },
    description: 'One condition of a search; a page can show it, change it and send it back',
  });

export type SearchPart = z.output<typeof searchPart>;

import { z } from 'zod';
import { id, orderedRange, rangeFields, text, timestamp } from '../../http/fields.ts';
import { timezone } from '../../platform/jobs/schedule.ts';
import { insight, riskLevel, severity } from '../schema.ts';
import { MEASURES } from './filters.ts';
import { MOST_PARTS, searchPart } from './part-schema.ts';

export const searchBody = z
  .strictObject({
    query: text(1, 500).optional().meta({
      description: 'The query in plain words, 1-500 characters; can be left out where `parts` are sent',
    }),
    parts: z.array(searchPart).min(1).max(MOST_PARTS).optional().meta({
      description:
        'Conditions in addition to the query, as `interpretation.parts` shows them. Without a query they are all, and no language model is asked',
    }),
    limit: z.int().min(1).max(50).default(10).meta({ description: 'The largest number of insights, 1-50' }),
    deviceId: id().optional().meta({
      description: 'Only this device. This and the following fields apply in addition to the query',
    }),
    sceneId: id().optional(),
    severity: severity.optional(),
    ...rangeFields,
    timezone: timezone.optional().meta({
      description:
        'IANA time zone for words like "yesterday" and "evening"; without it that of the device, scene or place, else of the user, else UTC',
    }),
  })
  .superRefine((body, context) => {
    orderedRange(body, context);
    if (body.query === undefined && body.parts === undefined)
      context.addIssue({ code: 'invalid_type', expected: 'string', path: ['query'], input: undefined });
    for (const [at, { field, excludeGroup }] of (body.parts ?? []).entries()) {
      if (excludeGroup === null || !(field in MEASURES)) continue;
      const message = 'must be null for a number: turn its operator around instead';
      context.addIssue({ code: 'custom', path: ['parts', at, 'excludeGroup'], message });
    }
  });
export type SearchBody = z.output<typeof searchBody>;

const conditions = {
  riskLevel: z
    .array(riskLevel)
    .meta({ description: 'Any of these values; empty for no filter', example: ['high', 'critical'] }),
  activityKeywords: z.array(z.string()).meta({
    description:
      'Words that are searched: as written, or in English where the parser translates them (German "Schlange" is "queue")',
    example: ['arguing'],
  }),
  severity: severity.optional(),
  startDate: timestamp()
    .optional()
    .meta({ description: 'Start of the range, included', example: '2026-11-17T18:00:00.000Z' }),
  endDate: timestamp()
    .optional()
    .meta({ description: 'End of the range, not included', example: '2026-11-18T00:00:00.000Z' }),
  deviceName: z
    .string()
    .optional()
    .meta({ description: 'Devices that the query names', example: 'Main Entrance' }),
  sceneName: z
    .string()
    .optional()
    .meta({ description: 'Scenes that the query names', example: 'Checkout area' }),
};

const bounds = z
  .strictObject({
    moreThan: z.number().optional().meta({ description: 'Exclusive bound' }),
    atLeast: z.number().optional().meta({ description: 'Limit; this value itself is included' }),
    lessThan: z.number().optional().meta({ description: 'Exclusive bound' }),
    atMost: z.number().optional().meta({ description: 'Limit; this value itself is included' }),
  })
  .meta({
    id: 'SearchBounds',
    description: 'Bounds of a number; all of them must hold',
    example: { moreThan: 300 },
  });

const exclusion = z.strictObject(conditions).meta({
  id: 'SearchExclusion',
  description: 'Insights that match all of these conditions are excluded',
  example: { riskLevel: [], activityKeywords: [], deviceName: 'Till 3' },
});

export const interpretation = z
  .strictObject({
    interpretedBy: z.enum(['rules', 'openai']).meta({
      description:
        '`openai`: a language model understood the query; `rules`: the built-in parser did, also if the model failed',
    }),
    limitedBy: z.enum(['no_model', 'model_failed']).optional().meta({
      description:
        'Where the query is neither in English nor in German and only its names, dates in digits and words as written are searched: `no_model` if no language model is configured, `model_failed` if it gave no answer',
    }),
    ...conditions,
    keywordMatch: z.enum(['all', 'any', 'none']).meta({
      description:
        '`any` where no insight has all the words: then those with at least one of them are returned, best first; `none` where the query has other filters and no insight has any of the words: then the words are left out',
    }),
    minPersons: z
      .int()
      .optional()
      .meta({ description: 'Smallest number of people in the image', example: 6 }),
    maxPersons: z.int().optional().meta({ description: 'Largest number of people in the image', example: 2 }),
    queueLength: bounds.optional().meta({ description: 'Number of people waiting in the queue' }),
    waitSeconds: bounds.optional().meta({
      description: 'Wait in seconds: the value of an alert about waits, else the longest wait at that moment',
    }),
    serviceSeconds: bounds.optional().meta({
      description:
        'Service time in seconds: the value of an alert about service, else the longest service at that moment',
    }),
    excluded: z.array(exclusion).meta({ description: 'Exclusions of the query ("no", "except")' }),
    parts: z.array(searchPart).meta({
      description:
        'All conditions one by one, without those of the other fields of the request. Changed or not, they can be sent back as `parts`',
    }),
    understood: z
      .array(
        z.strictObject({
          text: z.string().nullable().meta({
            description: 'Words of the query; null if a language model understood the query',
            example: 'no critical',
          }),
          filter: z
            .string()
            .meta({ description: 'The filter that they became', example: 'not (severity critical)' }),
        }),
      )
      .meta({ description: 'Every filter with the words of the query that it comes from' }),
    corrected: z
      .array(
        z.strictObject({
          text: z.string().meta({ description: 'A word of the query', example: 'entrence' }),
          to: z.string().meta({ description: 'The word that was read instead', example: 'entrance' }),
        }),
      )
      .meta({ description: 'Misspelt words and the words that were read instead' }),
    unusedWords: z.array(z.string()).meta({
      description: 'Words of the query that became no filter, in their order; function words are not listed',
      example: ['morning'],
    }),
  })
  .meta({ id: 'SearchInterpretation', description: 'How the query was understood' });

export const searchResult = z
  .strictObject({
    data: z.array(insight).meta({ description: 'Best first; newest first among equal ones' }),
    total: z.int().meta({ description: 'Number of matching insights, also beyond `limit`' }),
    interpretation,
    tokensUsed: z.strictObject({ inputTokens: z.int(), outputTokens: z.int(), totalTokens: z.int() }).meta({
      description: 'Tokens of the language model; zeros where the built-in parser understood the query',
    }),
  })
  .meta({ id: 'SearchResult' });

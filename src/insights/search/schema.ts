import { z } from 'zod';
import { id, orderedRange, rangeFields, text, timestamp } from '../../http/fields.ts';
import { timezone } from '../../platform/schedule.ts';
import { insight, riskLevel, severity } from '../schema.ts';

export const searchBody = z
  .strictObject({
    query: text(1, 500).meta({ description: 'What to find, in plain words; 1-500 characters' }),
    limit: z.int().min(1).max(50).default(10).meta({ description: 'Insights at most, 1-50' }),
    deviceId: id()
      .optional()
      .meta({ description: 'Only of this device; like the following, beside the query' }),
    sceneId: id().optional(),
    severity: severity.optional(),
    ...rangeFields,
    timezone: timezone
      .default('UTC')
      .meta({ description: 'IANA time zone in which "yesterday" and "evening" are meant' }),
  })
  .superRefine(orderedRange);
export type SearchBody = z.output<typeof searchBody>;

export const interpretation = z
  .strictObject({
    interpretedBy: z.enum(['rules', 'openai']).meta({
      description: '`openai`: a language model; `rules`: the built-in parser, also where the model failed',
    }),
    riskLevel: z.array(riskLevel).meta({ description: 'One of these; empty: any' }),
    activityKeywords: z.array(z.string()).meta({ description: 'Words looked for' }),
    keywordMatch: z.enum(['all', 'any']).meta({
      description: '`any` where no insight has all the words: then those with one of them, best first',
    }),
    severity: severity.optional(),
    startDate: timestamp().optional(),
    endDate: timestamp().optional(),
    deviceName: z.string().optional().meta({ description: 'Devices that the query names' }),
    sceneName: z.string().optional().meta({ description: 'Scenes that the query names' }),
    minPersons: z.int().optional().meta({ description: 'People in the picture at least' }),
  })
  .meta({ id: 'SearchInterpretation', description: 'How the query was understood' });

export const searchResult = z
  .strictObject({
    data: z.array(insight).meta({ description: 'Best first, newest first among equals' }),
    total: z.int().meta({ description: 'Insights that match, also beyond `limit`' }),
    interpretation,
    tokensUsed: z.strictObject({ inputTokens: z.int(), outputTokens: z.int(), totalTokens: z.int() }).meta({
      description: 'By a language model; zeros where the built-in parser understood the query',
    }),
  })
  .meta({ id: 'SearchResult' });

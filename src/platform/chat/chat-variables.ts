import { z } from 'zod';
import { count, number } from '../settings.ts';

/** The environment variables of the language model, and of what it is used for. */
export const CHAT_VARIABLES = {
  VLM_PROVIDER: z
    .enum(['rules', 'openai'])
    .default('rules')
    .describe('what writes insights: the embedded `rules`, or a model on an OpenAI-compatible server'),
  VLM_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('base address of that server, e.g. http://gpu.local:8000/v1'),
  VLM_MODEL: z.string().min(1).max(200).optional().describe('name of the model on that server'),
  VLM_API_KEY: z.string().min(1).optional().describe('API key of that server, if it needs one'),
  VLM_TIMEOUT_SECONDS: number(60, 1, 600).describe('seconds after which a call of the model is given up'),
  VLM_MAX_OUTPUT_TOKENS: count(700, 100, 8000).describe(
    'most tokens of an answer; one that was cut off is asked for once more with four times as many',
  ),
  VLM_CONCURRENCY: count(4, 1, 64).describe('most insights that all workers and APIs write at the same time'),
  VLM_USER_CONCURRENCY: count(2, 1, 64).describe(
    'most insights of one user that are written at the same time',
  ),
  SEARCH_PROVIDER: z
    .enum(['rules', 'openai'])
    .default('rules')
    .describe(
      'what interprets searches: the built-in parser `rules`, which leaves what is neither English nor German to VLM_MODEL at VLM_URL if they are set; or that model for every search, with the parser as fallback',
    ),
};

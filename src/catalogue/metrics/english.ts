import type { MetricWords } from './words.ts';

export const ENGLISH_METRICS: MetricWords = {
  language: 'en',
  lastMinutes: (minutes) => `in the last ${minutes} minutes`,
  sinceStart: 'since the start',
  compared: {
    GT: 'more than',
    GTE: 'at least',
    LT: 'less than',
    LTE: 'at most',
    EQ: 'exactly',
    NEQ: 'not',
  },
};

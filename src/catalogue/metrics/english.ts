import type { MetricWords } from './words.ts';

export const ENGLISH_METRICS: MetricWords = {
  language: 'en',
  lastMinutes: (minutes) => `in the last ${minutes} minutes`,
  sinceStart: 'since the start',
  perHour: (value) => `${value} per hour`,
  inSentence: (name) => name.charAt(0).toLowerCase() + name.slice(1),
  limits: {
    GT: 'limit',
    GTE: 'limit',
    LT: 'lower limit',
    LTE: 'lower limit',
    EQ: 'alert at',
    NEQ: 'wanted',
  },
  compared: {
    GT: 'more than',
    GTE: 'at least',
    LT: 'less than',
    LTE: 'at most',
    EQ: 'exactly',
    NEQ: 'not',
  },
};

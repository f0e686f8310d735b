import type { MetricWords } from './words.ts';

export const GERMAN_METRICS: MetricWords = {
  language: 'de',
  lastMinutes: (minutes) => `in den letzten ${minutes} Minuten`,
  sinceStart: 'seit dem Start',
  compared: {
    GT: 'mehr als',
    GTE: 'mindestens',
    LT: 'weniger als',
    LTE: 'höchstens',
    EQ: 'genau',
    NEQ: 'nicht',
  },
};

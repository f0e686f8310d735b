import type { MetricWords } from './words.ts';

export const GERMAN_METRICS: MetricWords = {
  language: 'de',
  lastMinutes: (minutes) => `in den letzten ${minutes} Minuten`,
  sinceStart: 'seit dem Start',
  perHour: (value) => `${value} pro Stunde`,
  // Most names begin with a noun, which stays large.
  inSentence: (name) => name,
  limits: {
    GT: 'Grenze',
    GTE: 'Grenze',
    LT: 'Untergrenze',
    LTE: 'Untergrenze',
    EQ: 'Alarm bei',
    NEQ: 'gewünscht',
  },
  compared: {
    GT: 'mehr als',
    GTE: 'mindestens',
    LT: 'weniger als',
    LTE: 'höchstens',
    EQ: 'genau',
    NEQ: 'nicht',
  },
};

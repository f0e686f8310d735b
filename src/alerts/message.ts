import { ENGLISH_METRICS } from '../catalogue/metrics/english.ts';
import { alertSentence } from '../catalogue/words/alert-words.ts';
import type { HeldCondition } from './conditions.ts';

/** The sentence of an alert in English, for programs: people read it in their own language, by its numbers. */
export const alertMessage = (held: HeldCondition, place: string): string =>
  alertSentence(place, held, { words: ENGLISH_METRICS, locale: 'en' });

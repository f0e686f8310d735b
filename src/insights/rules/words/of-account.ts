import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';
import type { InsightWords } from './words.ts';

/** @param locale of the account; English where there are no words in its language */
export function insightWords(locale: string | null): InsightWords {
  return locale?.split('-')[0] === 'de' ? { ...GERMAN, locale } : ENGLISH;
}

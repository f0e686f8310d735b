import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';
import type { Texts } from './texts.ts';

const LANGUAGES: Readonly<Record<string, Texts>> = { en: ENGLISH, de: GERMAN };

export interface Language {
  readonly texts: Texts;
  /** For times and numbers. */
  readonly locale: string;
}

/** @param locale of the user; English where there are no texts in its language */
export function languageOf(locale: string | null): Language {
  const texts = locale === null ? undefined : LANGUAGES[locale.replace(/-.*/, '')];
  return locale !== null && texts ? { texts, locale } : { texts: ENGLISH, locale: 'en-GB' };
}

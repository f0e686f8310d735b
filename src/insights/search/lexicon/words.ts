import { addConcepts } from './concepts.ts';
import { addLevelWords } from './level-words.ts';
import { Lexicon } from './lexicon.ts';
import { addMarkerWords } from './marker-words.ts';
import { addQuantityWords } from './quantity-words.ts';

/** What a query is written in: `other` languages are not read. */
export type Language = 'en' | 'de' | 'other';

function lexiconOf(language: 'en' | 'de'): Lexicon {
  const lexicon = new Lexicon();
  addQuantityWords(lexicon, language);
  addLevelWords(lexicon, language);
  addMarkerWords(lexicon, language);
  addConcepts(lexicon, language);
  return lexicon;
}

/** All words of the parser except those of dates. A sentence is read with the words of its own language alone. */
export const WORDS: Readonly<Record<Language, Lexicon>> = {
  en: lexiconOf('en'),
  de: lexiconOf('de'),
  other: new Lexicon(),
};

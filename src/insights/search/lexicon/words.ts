import { addConcepts } from './concepts.ts';
import { addLevelWords } from './level-words.ts';
import { type Language, Lexicon } from './lexicon.ts';
import { addMarkerWords } from './marker-words.ts';
import { addQuantityWords } from './quantity-words.ts';

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

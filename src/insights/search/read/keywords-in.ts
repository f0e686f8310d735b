import type { Keyword } from '../filters.ts';
import { languageOf } from '../lexicon/language.ts';
import type { Language } from '../lexicon/lexicon.ts';
import { Sentence } from './sentence.ts';
import { readWords } from './words.ts';

/** The words to find of a text that has nothing else. */
export function keywordsIn(text: string, language: Language = languageOf(text) ?? 'en'): Keyword[] {
  const sentence = new Sentence(text, language);
  readWords(sentence);
  return keywordsOf(sentence);
}

/** The words to find of a sentence that was read. */
export const keywordsOf = ({ phrases }: Sentence): Keyword[] =>
  phrases.flatMap(({ filter }) => (filter.kind === 'words' ? filter.keywords : []));

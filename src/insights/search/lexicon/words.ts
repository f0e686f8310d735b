import { addConcepts } from './concepts.ts';
import { addLevelWords } from './level-words.ts';
import { Lexicon } from './lexicon.ts';
import { addMarkerWords } from './marker-words.ts';
import { addQuantityWords } from './quantity-words.ts';

/** All words of the parser except those of dates. */
export const WORDS = new Lexicon();
addQuantityWords(WORDS);
addLevelWords(WORDS);
addMarkerWords(WORDS);
addConcepts(WORDS);

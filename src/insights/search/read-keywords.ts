import type { QueryText } from './query-text.ts';
import { isStopWord } from './stop-words.ts';

const MAX_KEYWORDS = 10;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** What is left of a query: the words that are looked for in the texts, as they were written. */
export function readKeywords(text: QueryText): string[] {
  const found = new Map<string, string>();
  for (const match of text.words.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    for (const { at, word } of piecesOf(match[0], match.index)) {
      const plain = text.plain.slice(at, at + word.length);
      if (isStopWord(plain) || plain.length < 2) continue;
      if (!found.has(plain)) found.set(plain, word);
    }
  }
  return [...found.values()].slice(0, MAX_KEYWORDS);
}

/** Words of scripts that write them without blanks. */
function piecesOf(run: string, at: number): { at: number; word: string }[] {
  if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(run)) return [{ at, word: run }];
  return [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ at: at + index, word: segment }));
}

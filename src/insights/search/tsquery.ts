import { plainOf } from './query-text.ts';

// English endings, so that "fighting" finds "fight" and "argue" finds "arguing"; what is left is a beginning of words.
const ENDINGS = ['ing', 'ed', 'es', 's', 'e'];
const SHORTEST_STEM = 4;

function beginning(word: string): string {
  // Only letters and digits come out, so nothing in it is an operator.
  const lexeme = plainOf(word).replace(/[^\p{L}\p{M}\p{N}]/gu, '');
  const isBase = lexeme.endsWith('ss');
  const ending = ENDINGS.find((end) => lexeme.endsWith(end) && lexeme.length - end.length >= SHORTEST_STEM);
  return `${ending && !isBase ? lexeme.slice(0, -ending.length) : lexeme}:*`;
}

const join = (words: readonly string[], operator: string): string =>
  words
    .map(beginning)
    .filter((term) => term !== ':*')
    .join(operator);

/** A `to_tsquery` text that wants every word; empty without words. */
export const allOf = (words: readonly string[]): string => join(words, ' & ');

/** One that wants any of them. */
export const anyOf = (words: readonly string[]): string => join(words, ' | ');

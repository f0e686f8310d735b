import { plainOf } from './query-text.ts';

// English endings, so that "fighting" finds "fight" and "argue" finds "arguing"; what is left is a beginning of words.
const ENDING = /(?:ing|ed|es|e|s)$/;
const SHORTEST_STEM = 4;

function beginning(word: string): string {
  // Only letters and digits come out, so nothing in it is an operator.
  const lexeme = plainOf(word).replace(/[^\p{L}\p{M}\p{N}]/gu, '');
  const stem = lexeme.endsWith('ss') ? lexeme : lexeme.replace(ENDING, '');
  return `${stem.length >= SHORTEST_STEM ? stem : lexeme}:*`;
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

import type { Keyword } from './filters.ts';
import { plainOf } from './lexicon.ts';

// English endings. Without them "fighting" finds "fight", and "argue" finds "arguing", since words are matched by their
// beginning.
const ENDINGS = ['ing', 'ed', 'es', 's', 'e'];
const SHORTEST_STEM = 4;

/** The beginning by which a word is searched: only letters and digits, so that it has no operator. */
export function beginning(word: string): string {
  const lexeme = plainOf(word).replace(/[^\p{L}\p{M}\p{N}]/gu, '');
  const isBase = lexeme.endsWith('ss');
  const ending = ENDINGS.find((end) => lexeme.endsWith(end) && lexeme.length - end.length >= SHORTEST_STEM);
  return ending && !isBase ? lexeme.slice(0, -ending.length) : lexeme;
}

/** Words that follow one another. */
const inARow = (form: string): string =>
  form
    .split(' ')
    .map(beginning)
    .filter((lexeme) => lexeme !== '')
    .map((lexeme) => `${lexeme}:*`)
    .join(' <-> ');

function oneOf({ forms }: Keyword): string {
  const terms = [...new Set(forms.map(inARow))].filter((term) => term !== '');
  return terms.length > 1 ? `(${terms.join(' | ')})` : (terms[0] ?? '');
}

const join = (keywords: readonly Keyword[], operator: string): string =>
  keywords
    .map(oneOf)
    .filter((term) => term !== '')
    .join(operator);

/** A `to_tsquery` text that requires every word in one of its forms; empty without words. */
export const allOf = (keywords: readonly Keyword[]): string => join(keywords, ' & ');

/** A `to_tsquery` text that requires at least one word. */
export const anyOf = (keywords: readonly Keyword[]): string => join(keywords, ' | ');

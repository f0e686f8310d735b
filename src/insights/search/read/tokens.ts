import { fold } from '../lexicon/lexicon.ts';
import type { QueryText } from './query-text.ts';

/** A word, a number or a mark of a query. */
export interface Token {
  /** As written. */
  readonly text: string;
  /** Folded for comparison with the lexicon. */
  readonly plain: string;
  /** Position in the normalised text. */
  readonly at: number;
  readonly length: number;
  readonly kind: 'word' | 'number' | 'mark';
}

const PIECE = new RegExp(
  [
    String.raw`(?<number>\d+(?:[.,]\d+)?)`,
    String.raw`(?<unspaced>[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+)`,
    String.raw`(?<word>[\p{L}\p{M}]+)`,
    // Apostrophes and hyphens only separate words.
    String.raw`(?<mark>[^\s\p{L}\p{M}\p{N}'])`,
  ].join('|'),
  'gu',
);
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** The tokens of a query, in order. */
export function tokenise(text: QueryText): Token[] {
  const tokens: Token[] = [];
  const add = (kind: Token['kind'], at: number, length: number) => {
    const plain = fold(text.plain.slice(at, at + length));
    tokens.push({ text: text.cased.slice(at, at + length), plain, at, length, kind });
  };
  for (const { groups, index, 0: found } of text.plain.matchAll(PIECE)) {
    if (groups?.number) add('number', index, found.length);
    else if (groups?.word) add('word', index, found.length);
    else if (groups?.unspaced) for (const [at, length] of piecesOf(found)) add('word', index + at, length);
    else if (found !== '-' || isBetweenNumbers(text.plain, index)) add('mark', index, found.length);
  }
  return tokens;
}

const isBetweenNumbers = (text: string, at: number): boolean =>
  /\d\s?$/.test(text.slice(0, at)) && /^\s?\d/.test(text.slice(at + 1));

/** Divides Chinese and Japanese text, which has no spaces. */
const piecesOf = (run: string): [at: number, length: number][] =>
  [...segmenter.segment(run)].map(({ segment, index }) => [index, segment.length]);

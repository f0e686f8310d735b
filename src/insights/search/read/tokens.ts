import { fold } from '../lexicon/lexicon.ts';
import { WORDS } from '../lexicon/words.ts';
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

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
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
const UNSPACED_WORDS = WORDS.singles.filter((word) => UNSPACED.test(word));
const LONGEST = Math.max(...UNSPACED_WORDS.map((word) => word.length));
const KNOWN = new Set(UNSPACED_WORDS);

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

/** Divides Chinese and Japanese text, which has no spaces: first into words of the lexicon, then by Intl.Segmenter. */
function piecesOf(run: string): [at: number, length: number][] {
  const pieces: [number, number][] = [];
  let rest = 0;
  const flush = (end: number) => {
    for (const { segment, index } of segmenter.segment(run.slice(rest, end)))
      pieces.push([rest + index, segment.length]);
  };
  for (let at = 0; at < run.length; ) {
    let length = Math.min(LONGEST, run.length - at);
    while (length > 0 && !KNOWN.has(run.slice(at, at + length))) length -= 1;
    if (length > 0) {
      flush(at);
      pieces.push([at, length]);
      rest = at + length;
    }
    at += Math.max(1, length);
  }
  flush(run.length);
  return pieces;
}

import { fold, type Lexicon, plainOf } from '../lexicon.ts';

/** A word, a number, a date or time in digits, or a mark of a query. */
export interface Token {
  /** As written. */
  readonly text: string;
  /** Folded for comparison with the lexicon. */
  readonly plain: string;
  /** Position in the normalised text. */
  readonly at: number;
  readonly length: number;
  readonly kind: 'word' | 'number' | 'digits' | 'mark';
}

const PIECE = new RegExp(
  [
    String.raw`(?<digits>\d{4}-\d\d-\d\d(?!\d)|\d{1,2}\/\d{1,2}(?:\/(?:\d{4}|\d\d))?(?![\d/])|\d{1,2}:\d\d(?!\d))`,
    String.raw`(?<number>\d+(?:[.,]\d+)?)`,
    String.raw`(?<unspaced>[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+)`,
    String.raw`(?<word>[\p{L}\p{M}]+)`,
    // Apostrophes and hyphens only separate words.
    String.raw`(?<mark>[^\s\p{L}\p{M}\p{N}'])`,
  ].join('|'),
  'gu',
);
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** The text of which tokens tell the position. */
export function normalised(text: string): string {
  const normal = text
    .normalize('NFKC')
    .replace(/[’‘`]/g, "'")
    .replace(/[‐‑]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
  const lower = normal.toLowerCase().normalize('NFC');
  // Some capitals are longer in lower case.
  return normal.length === lower.length ? normal : lower;
}

/** The tokens of a normalised text, in order. */
export function tokenise(text: string, lexicon: Lexicon): Token[] {
  const plain = plainOf(text);
  const tokens: Token[] = [];
  const add = (kind: Token['kind'], at: number, length: number) =>
    tokens.push({
      ...{ kind, at, length },
      text: text.slice(at, at + length),
      plain: fold(plain.slice(at, at + length)),
    });
  for (const { groups, index, 0: found } of plain.matchAll(PIECE)) {
    if (groups?.digits) add('digits', index, found.length);
    else if (groups?.number) add('number', index, found.length);
    else if (groups?.word)
      for (const [at, length] of wordsIn(found, lexicon)) add('word', index + at, length);
    else if (groups?.unspaced) for (const [at, length] of piecesOf(found)) add('word', index + at, length);
    else if (found !== '-' || isBetweenNumbers(plain, index)) add('mark', index, found.length);
  }
  return tokens;
}

const isBetweenNumbers = (text: string, at: number): boolean =>
  /\d\.?\s?$/.test(text.slice(0, at)) && /^\s?\d/.test(text.slice(at + 1));

/** Divides German words of time that are written together: "Montagabend", "Oktoberende". */
export function wordsIn(word: string, lexicon: Lexicon): (readonly [at: number, length: number])[] {
  for (let end = 3; end <= word.length - 4; end += 1) {
    const start = lexicon.sensesOf(word.slice(0, end));
    if (!start.has('weekday') && !start.has('month')) continue;
    const rest = lexicon.sensesOf(word.slice(end));
    if (['part', 'third', 'period', 'halves'].some((kind) => rest.has(kind)))
      return [[0, end], [end, word.length - end]]; // biome-ignore format: two pairs
  }
  return [[0, word.length]];
}

/** Divides Chinese and Japanese text, which has no spaces. */
const piecesOf = (run: string): [at: number, length: number][] =>
  [...segmenter.segment(run)].map(({ segment, index }) => [index, segment.length]);

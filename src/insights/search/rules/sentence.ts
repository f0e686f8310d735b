import type { Filter } from '../filters.ts';
import { fold, type Language, LEXICONS, type Lexicon, plainOf, type Sense, type Senses } from '../lexicon.ts';

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

/** Tokens that form one filter. */
export interface Phrase {
  /** Positions of its tokens, ascending. */
  readonly tokens: readonly number[];
  /** The first of them. */
  readonly from: number;
  readonly filter: Filter;
}

/** Apostrophes and hyphens only separate words. */
const PIECE = new RegExp(
  [
    String.raw`(?<digits>\d{4}-\d\d-\d\d(?!\d)|\d{1,2}\/\d{1,2}(?:\/(?:\d{4}|\d\d))?(?![\d/])|\d{1,2}:\d\d(?!\d))`,
    String.raw`(?<number>\d+(?:[.,]\d+)?)`,
    String.raw`(?<word>[\p{L}\p{M}]+)`,
    String.raw`(?<mark>(?<=\d\.?\s?)-(?=\s?\d)|[^\s\p{L}\p{M}\p{N}'-])`,
  ].join('|'),
  'gu',
);
/** Kinds of words that join phrases, or that name the subject of every insight. */
const SILENT = ['and', 'or', 'but', 'only', 'people', 'at', 'article', 'alert', 'present'];
/** Tokens of a query that are read. Nobody asks with more, and readers compare tokens with each other. */
const MOST_TOKENS = 64;
/** A larger number is no count. */
const MOST = 100_000;

/** The positions of consecutive tokens. */
export const span = (from: number, length: number): number[] => Array.from({ length }, (_, n) => from + n);

/** The text of which tokens tell the position. */
function normalised(text: string): string {
  const marks = text.normalize('NFKC').replace(/[’‘`]/g, "'").replace(/[‐‑]/g, '-');
  const normal = marks.replace(/\s+/g, ' ').trim();
  const lower = normal.toLowerCase().normalize('NFC');
  // Some capitals are longer in lower case.
  return normal.length === lower.length ? normal : lower;
}

function tokenise(text: string, lexicon: Lexicon): Token[] {
  const plain = plainOf(text);
  return [...plain.matchAll(PIECE)].flatMap(({ groups = {}, index, 0: found }) => {
    const [kind] = Object.entries(groups).find(([, part]) => part !== undefined) as [Token['kind'], string];
    const parts = kind === 'word' ? wordsIn(found, lexicon) : [found];
    let next = index;
    return parts.map((part) => {
      const { length } = part;
      const at = next;
      next += length;
      return { kind, at, length, text: text.slice(at, at + length), plain: fold(part) };
    });
  });
}

/** Divides German words of time that are written together: "Montagabend", "Oktoberende". */
export function wordsIn(word: string, lexicon: Lexicon): string[] {
  const isOf = (part: string, ...kinds: string[]) => {
    const senses = lexicon.sensesOf(part);
    return kinds.some((kind) => senses.has(kind));
  };
  for (let end = 3; end <= word.length - 4; end += 1) {
    const [start, rest] = [word.slice(0, end), word.slice(end)];
    if (isOf(start, 'weekday', 'month') && isOf(rest, 'part', 'third', 'period', 'halves'))
      return [start, rest];
  }
  return [word];
}

/** A query in tokens, each of which belongs to at most one phrase. */
export class Sentence {
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly #text: string;
  readonly #unread: readonly Token[];
  readonly #senses: readonly Senses[];
  /** The phrase of each token that has one, and what else it was taken for. */
  readonly #owners: (Phrase | 'marker' | 'unused' | undefined)[] = [];

  constructor(query: string, language: Language) {
    this.language = language;
    this.#text = normalised(query);
    const tokens = tokenise(this.#text, LEXICONS[language]);
    this.tokens = tokens.slice(0, MOST_TOKENS);
    this.#unread = tokens.slice(MOST_TOKENS);
    const words = this.tokens.map(({ plain }) => plain);
    this.#senses = words.map((_, at) => LEXICONS[language].sensesFrom(words.slice(at)));
  }

  get phrases(): Phrase[] {
    const phrases = this.#owners.filter((owner) => typeof owner === 'object');
    return [...new Set(phrases)].toSorted((a, b) => a.from - b.from);
  }

  /** The longest phrase of a kind that begins at a token, also of taken tokens. */
  senseAt<Value = true>(kind: string, at: number): Sense<Value> | undefined {
    return this.#senses[at]?.get(kind) as Sense<Value> | undefined;
  }

  /** Whether a phrase of one of the kinds begins at a token. */
  is = (at: number, ...kinds: readonly string[]): boolean =>
    kinds.some((kind) => this.#senses[at]?.has(kind));

  /** The longest phrase of a kind that begins at a token and has no taken token. */
  free<Value = true>(kind: string, at: number): Sense<Value> | undefined {
    const sense = this.senseAt<Value>(kind, at);
    return sense && this.areFree(at, sense.length) ? sense : undefined;
  }

  /** A phrase of a kind that ends directly before a token. */
  before<Value = true>(kind: string, end: number): Sense<Value> | undefined {
    for (let length = 5; length > 0; length -= 1) {
      const sense = this.senseAt<Value>(kind, end - length);
      if (sense?.length === length) return sense;
    }
    return undefined;
  }

  /** A number in digits or words. */
  numberAt(at: number): Sense<number> | undefined {
    const token = this.tokens[at];
    if (token?.kind !== 'number') return this.free<number>('number', at);
    return this.isFree(at)
      ? { value: Math.min(MOST, Number(token.plain.replace(',', '.'))), length: 1 }
      : undefined;
  }

  /** The text of a token, folded; empty where there is none. */
  plainAt = (at: number): string => this.tokens[at]?.plain ?? '';

  ownerOf(at: number): Phrase | undefined {
    const owner = this.#owners[at];
    return typeof owner === 'object' ? owner : undefined;
  }

  /** Whether a token belongs to a phrase of one of the kinds. */
  isIn = (at: number, ...kinds: Filter['kind'][]): boolean =>
    kinds.some((kind) => this.ownerOf(at)?.filter.kind === kind);

  isFree = (at: number): boolean => at >= 0 && at < this.tokens.length && this.#owners[at] === undefined;

  areFree = (at: number, length: number): boolean => span(at, length).every(this.isFree);

  /** Whether a token has no meaning of its own: function words, and words for the searched alerts. */
  isFiller = (at: number): boolean => this.tokens[at]?.kind === 'word' && this.is(at, 'stop', 'alert');

  claim(tokens: readonly number[], filter: Filter): void {
    const phrase = { tokens: tokens.toSorted((a, b) => a - b), from: Math.min(...tokens), filter };
    for (const token of tokens) this.#owners[token] = phrase;
  }

  /** Takes tokens that change the meaning of others ("not"), or that can become no filter. */
  take(tokens: readonly number[], as: 'marker' | 'unused'): void {
    for (const token of tokens) this.#owners[token] = as;
  }

  /** The tokens as written, in their order. */
  textOf(tokens: readonly number[]): string {
    let [written, next, end] = ['', 0, 0];
    for (const [token, { at, length, text }] of this.tokens.entries()) {
      if (!tokens.includes(token)) continue;
      if (written !== '') written += token === next ? this.#text.slice(end, at) : ' … ';
      written += text;
      [next, end] = [token + 1, at + length];
    }
    return written;
  }

  /** Words that became no filter, without function words, and those that are not read, as written. */
  get unusedWords(): string[] {
    const silent = new Set(
      this.tokens.flatMap((_, at) => SILENT.flatMap((kind) => span(at, this.free(kind, at)?.length ?? 0))),
    );
    const left = this.tokens.filter(({ kind }, at) => {
      const isLeft = kind !== 'mark' && this.isFree(at) && !silent.has(at) && !this.isFiller(at);
      return isLeft || this.#owners[at] === 'unused';
    });
    return [...left, ...this.#unread.filter(({ kind }) => kind !== 'mark')].map(({ text }) => text);
  }
}

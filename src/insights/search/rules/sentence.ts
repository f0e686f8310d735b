import type { Filter } from '../filters.ts';
import { type Language, LEXICONS, type Sense, type Senses } from '../lexicon.ts';
import { normalised, type Token, tokenise } from './tokens.ts';

/** Tokens that form one filter. */
export interface Phrase {
  /** Positions of its tokens, ascending. */
  readonly tokens: readonly number[];
  readonly filter: Filter;
}

/** Kinds of words that join phrases, or that name the subject of every insight. */
const SILENT = ['and', 'or', 'but', 'only', 'people', 'at', 'article', 'alert', 'present'] as const;

/** Tokens of a query that are read. Nobody asks with more, and readers compare tokens with each other. */
const MOST_TOKENS = 64;

/** The positions of consecutive tokens. */
export const span = (from: number, length: number): number[] => Array.from({ length }, (_, n) => from + n);

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
    this.#senses = words.map((_, at) => LEXICONS[language].sensesAt(words, at));
  }

  get phrases(): Phrase[] {
    const phrases = this.#owners.filter((owner) => typeof owner === 'object');
    return [...new Set(phrases)].toSorted((a, b) => a.tokens[0]! - b.tokens[0]!);
  }

  /** The longest phrase of a kind that begins at a token, also of taken tokens. */
  senseAt<Value = true>(kind: string, at: number): Sense<Value> | undefined {
    return this.#senses[at]?.get(kind) as Sense<Value> | undefined;
  }

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

  ownerOf(at: number): Phrase | undefined {
    const owner = this.#owners[at];
    return typeof owner === 'object' ? owner : undefined;
  }

  isFree = (at: number): boolean => at >= 0 && at < this.tokens.length && this.#owners[at] === undefined;

  areFree = (at: number, length: number): boolean => span(at, length).every(this.isFree);

  /** Whether a token has no meaning of its own: function words, and words for the searched alerts. */
  isFiller(at: number): boolean {
    return this.tokens[at]?.kind === 'word' && !!(this.senseAt('stop', at) ?? this.senseAt('alert', at));
  }

  claim(tokens: readonly number[], filter: Filter): void {
    const phrase = { tokens: tokens.toSorted((a, b) => a - b), filter };
    for (const token of tokens) this.#owners[token] = phrase;
  }

  /** Takes tokens that change the meaning of others ("not"), or that can become no filter. */
  take(tokens: readonly number[], as: 'marker' | 'unused'): void {
    for (const token of tokens) this.#owners[token] = as;
  }

  /** The tokens as written. @param tokens ascending */
  textOf(tokens: readonly number[]): string {
    const parts = tokens.map((token, n) => {
      const { at, text } = this.tokens[token]!;
      const last = this.tokens[tokens[n - 1]!];
      if (!last) return text;
      return (token - 1 === tokens[n - 1] ? this.#text.slice(last.at + last.length, at) : ' … ') + text;
    });
    return parts.join('');
  }

  /** Words that became no filter, without function words, and those that are not read, as written. */
  get unusedWords(): string[] {
    const silent = new Set(
      this.tokens.flatMap((_, at) => SILENT.flatMap((kind) => span(at, this.free(kind, at)?.length ?? 0))),
    );
    const left = this.tokens.filter(
      ({ kind }, at) =>
        this.#owners[at] === 'unused' ||
        (this.isFree(at) && kind !== 'mark' && !silent.has(at) && !this.isFiller(at)),
    );
    return [...left, ...this.#unread.filter(({ kind }) => kind !== 'mark')].map(({ text }) => text);
  }
}

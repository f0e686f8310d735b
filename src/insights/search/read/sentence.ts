import { firstOf, itemAt } from '../../../catalogue/items/items.ts';
import type { Filter } from '../filters.ts';
import type { Language, Sense } from '../lexicon/lexicon.ts';
import { isStopWord } from '../lexicon/stop-words.ts';
import { WORDS } from '../lexicon/words.ts';
import { QueryText } from './query-text.ts';
import { type Token, tokenise } from './tokens.ts';

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

/** A query in tokens, each of which belongs to at most one phrase. */
export class Sentence {
  readonly text: QueryText;
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly #unread: readonly Token[];
  readonly #plain: readonly string[];
  readonly #claimed = new Set<number>();
  readonly #unused = new Set<number>();
  readonly #owners = new Map<number, Phrase>();
  readonly #phrases: Phrase[] = [];

  constructor(query: string, language: Language) {
    this.language = language;
    this.text = new QueryText(query);
    const tokens = tokenise(this.text);
    this.tokens = tokens.slice(0, MOST_TOKENS);
    this.#unread = tokens.slice(MOST_TOKENS);
    const [first] = this.#unread;
    if (first) this.text.cut(first.at, this.text.plain.length - first.at);
    this.#plain = this.tokens.map(({ plain }) => plain);
  }

  get phrases(): readonly Phrase[] {
    return this.#phrases.toSorted((a, b) => firstOf(a.tokens) - firstOf(b.tokens));
  }

  /** The longest phrase of a kind that begins at a token, also of claimed tokens. */
  senseAt<Value = true>(kind: string, at: number): Sense<Value> | undefined {
    return WORDS[this.language].at<Value>(kind, this.#plain, at);
  }

  /** The longest phrase of a kind that begins at a token and has no claimed token. */
  free<Value = true>(kind: string, at: number): Sense<Value> | undefined {
    if (!this.isFree(at)) return undefined;
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
    return this.#owners.get(at);
  }

  isFree(at: number): boolean {
    return at >= 0 && at < this.tokens.length && !this.#claimed.has(at) && !this.#unused.has(at);
  }

  areFree(at: number, length: number): boolean {
    return Array.from({ length }, (_, n) => at + n).every((token) => this.isFree(token));
  }

  /** Whether a token has no meaning of its own: function words, and words for the searched alerts. */
  isFiller(at: number): boolean {
    const token = this.tokens[at];
    return (
      token !== undefined &&
      token.kind === 'word' &&
      (isStopWord(token.plain, this.language) || !!this.senseAt('alert', at))
    );
  }

  claim(tokens: readonly number[], filter: Filter): void {
    for (const token of tokens) this.#take(token, this.#claimed);
    const phrase = { tokens: [...tokens].sort((a, b) => a - b), filter };
    this.#phrases.push(phrase);
    for (const token of tokens) this.#owners.set(token, phrase);
  }

  /** Adds tokens to a phrase that says the same. */
  extend(phrase: Phrase, tokens: readonly number[]): void {
    for (const token of tokens) this.#take(token, this.#claimed);
    const all = [...phrase.tokens, ...tokens].sort((a, b) => a - b);
    this.#phrases.splice(this.#phrases.indexOf(phrase), 1);
    this.claim(all, phrase.filter);
  }

  /** Claims tokens that change the meaning of others: "not", "only". */
  claimMarker(tokens: readonly number[]): void {
    for (const token of tokens) this.#take(token, this.#claimed);
  }

  /** Marks tokens that can become no filter. */
  leave(tokens: readonly number[]): void {
    for (const token of tokens) this.#take(token, this.#unused);
  }

  #take(at: number, owner: Set<number>): void {
    owner.add(at);
    const { at: start, length } = itemAt(this.tokens, at);
    this.text.cut(start, length);
  }

  /** The tokens as written. */
  textOf(tokens: readonly number[]): string {
    return this.runsOf(tokens)
      .map(([first, last]) => {
        const from = itemAt(this.tokens, first).at;
        const { at, length } = itemAt(this.tokens, last);
        return this.text.cased.slice(from, at + length);
      })
      .join(' … ');
  }

  /** Words that became no filter, without function words, and those that are not read, as written. */
  get unusedWords(): string[] {
    const silent = new Set(
      this.tokens.flatMap((_, at) => SILENT.flatMap((kind) => span(at, this.free(kind, at)?.length ?? 0))),
    );
    const left = this.tokens.flatMap(({ kind, text }, at) => {
      const isLeft = this.isFree(at) && kind !== 'mark' && !silent.has(at) && !this.isFiller(at);
      return this.#unused.has(at) || isLeft ? [text] : [];
    });
    return [...left, ...this.#unread.flatMap(({ kind, text }) => (kind === 'mark' ? [] : [text]))];
  }

  /** Tokens that follow one another. */
  private runsOf(tokens: readonly number[]): [first: number, last: number][] {
    const runs: [number, number][] = [];
    for (const token of tokens) {
      const run = runs.at(-1);
      if (run && run[1] === token - 1) run[1] = token;
      else runs.push([token, token]);
    }
    return runs;
  }
}

/** The positions of consecutive tokens. */
export const span = (from: number, length: number): number[] => Array.from({ length }, (_, n) => from + n);

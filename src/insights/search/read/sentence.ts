import type { Filter } from '../filters.ts';
import type { Sense } from '../lexicon/lexicon.ts';
import { isStopWord } from '../lexicon/stop-words.ts';
import { WORDS } from '../lexicon/words.ts';
import { QueryText } from './query-text.ts';
import { type Token, tokenise } from './tokens.ts';

/** Tokens that say one thing together. */
export interface Phrase {
  /** Places of its tokens, ascending. */
  readonly tokens: readonly number[];
  readonly filter: Filter;
}

/** Kinds of words that join others, or name what every insight is about. */
const SILENT = ['and', 'or', 'but', 'only', 'people', 'at', 'article', 'alert'] as const;

/** A query in tokens, each of which belongs to one phrase at most. */
export class Sentence {
  readonly text: QueryText;
  readonly tokens: readonly Token[];
  readonly #plain: readonly string[];
  readonly #claimed = new Set<number>();
  readonly #unused = new Set<number>();
  readonly #owners = new Map<number, Phrase>();
  readonly #phrases: Phrase[] = [];

  constructor(query: string) {
    this.text = new QueryText(query);
    this.tokens = tokenise(this.text);
    this.#plain = this.tokens.map(({ plain }) => plain);
  }

  get phrases(): readonly Phrase[] {
    return this.#phrases.toSorted((a, b) => a.tokens[0]! - b.tokens[0]!);
  }

  /** The longest phrase of a kind that begins at a token, whoever it belongs to. */
  look<Value = true>(kind: string, at: number): Sense<Value> | undefined {
    return WORDS.at<Value>(kind, this.#plain, at);
  }

  /** The same, of tokens that belong to nobody yet. */
  free<Value = true>(kind: string, at: number): Sense<Value> | undefined {
    if (!this.isFree(at)) return undefined;
    const sense = this.look<Value>(kind, at);
    return sense && this.areFree(at, sense.length) ? sense : undefined;
  }

  /** A phrase of a kind that ends right before a token. */
  before<Value = true>(kind: string, end: number): Sense<Value> | undefined {
    for (let length = 5; length > 0; length -= 1) {
      const sense = this.look<Value>(kind, end - length);
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

  /** Says nothing by itself: little words, and words for what is searched. */
  isFiller(at: number): boolean {
    const token = this.tokens[at];
    return (
      token !== undefined && token.kind === 'word' && (isStopWord(token.plain) || !!this.look('alert', at))
    );
  }

  claim(tokens: readonly number[], filter: Filter): void {
    for (const token of tokens) this.#take(token, this.#claimed);
    const phrase = { tokens: [...tokens].sort((a, b) => a - b), filter };
    this.#phrases.push(phrase);
    for (const token of tokens) this.#owners.set(token, phrase);
  }

  /** Tokens that only say how others are meant: "not", "only". */
  claimMarker(tokens: readonly number[]): void {
    for (const token of tokens) this.#take(token, this.#claimed);
  }

  /** Tokens that no filter can be made of. */
  leave(tokens: readonly number[]): void {
    for (const token of tokens) this.#take(token, this.#unused);
  }

  #take(at: number, owner: Set<number>): void {
    owner.add(at);
    const { at: start, length } = this.tokens[at]!;
    this.text.cut(start, length);
  }

  /** As it was written. */
  textOf(tokens: readonly number[]): string {
    return this.runsOf(tokens)
      .map(([first, last]) => {
        const from = this.tokens[first]!.at;
        const { at, length } = this.tokens[last]!;
        return this.text.cased.slice(from, at + length);
      })
      .join(' … ');
  }

  /** Words that are no part of anything and say something, as they were written. */
  get unusedWords(): string[] {
    const silent = new Set(
      this.tokens.flatMap((_, at) => SILENT.flatMap((kind) => span(at, this.free(kind, at)?.length ?? 0))),
    );
    return this.tokens.flatMap(({ kind, text }, at) => {
      const isLeft = this.isFree(at) && kind !== 'mark' && !silent.has(at) && !this.isFiller(at);
      return this.#unused.has(at) || isLeft ? [text] : [];
    });
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

/** The places of some tokens in a row. */
export const span = (from: number, length: number): number[] => Array.from({ length }, (_, n) => from + n);

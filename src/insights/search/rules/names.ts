import type { NamedPlace } from '../filters.ts';
import { type Concept, fold, LEXICONS, type Senses } from '../lexicon.ts';
import { type Sentence, span } from './sentence.ts';

const LONGEST_MENTION = 4;
const QUOTES = /^["“”„«»]$/;
const NUMBER = /^\p{N}+$/u;
/** Kinds of words that a place does not describe. */
const NO_THINGS =
  'severity level compare and or day weekday month part unit period last past ago noon midnight'.split(' ');

interface Name {
  readonly place: NamedPlace;
  readonly words: string;
  /** The same words without regard to language and order: "Kasse 3" becomes "3 checkout". */
  readonly key: string;
}

/** What the words of one search mean; names may be in another language than the query. */
class Meanings {
  readonly #senses = new Map<string, readonly Senses[]>();

  #of(word: string): readonly Senses[] {
    const senses =
      this.#senses.get(word) ??
      (NUMBER.test(word) ? [] : [LEXICONS.en.sensesOf(word), LEXICONS.de.sensesOf(word)]);
    this.#senses.set(word, senses);
    return senses;
  }

  has = (word: string, ...kinds: readonly string[]): boolean =>
    this.#of(word).some((senses) => kinds.some((kind) => senses.has(kind)));

  #first<Value>(word: string, kind: string): Value | undefined {
    return this.#of(word)
      .find((senses) => senses.has(kind))
      ?.get(kind)?.value as Value | undefined;
  }

  conceptOf = (word: string): Concept | undefined => this.#first(word, 'concept');

  /** A word for a thing ("queue"), and none for a place ("door"). */
  isThing = (word: string): boolean => (this.conceptOf(word)?.role ?? 'place') !== 'place';

  /** "Kasse zwei" is Till 2. */
  keyOf = (words: readonly string[]): string =>
    words
      .map((word) => this.conceptOf(word)?.word ?? this.#first<number>(word, 'number') ?? word)
      .sort()
      .join(' ');
}

/**
 * Claims the names of the user's devices and scenes: first full names anywhere and in any language of the lexicon, then
 * parts of names where the query names a place. A mention that fits several places means any of them.
 */
export const readNames = (sentence: Sentence, places: readonly NamedPlace[]): void =>
  new NameReader(sentence, places).read();

class NameReader {
  readonly #sentence: Sentence;
  readonly #meanings = new Meanings();
  readonly #names: readonly Name[];

  constructor(sentence: Sentence, places: readonly NamedPlace[]) {
    this.#sentence = sentence;
    this.#names = places.map((place): Name => {
      const words = fold(place.name.normalize('NFKC')).match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? [];
      return { place, words: words.join(' '), key: this.#meanings.keyOf(words) };
    });
  }

  read(): void {
    const { tokens } = this.#sentence;
    const longest = Math.max(0, ...this.#names.map(({ words }) => words.split(' ').length));
    this.#readLongest('words', (words) => words.join(' '), span(1, longest));
    // "Kasse 3" is Till 3 unless a place is named Kasse 3.
    this.#readLongest('key', this.#meanings.keyOf, span(2, LONGEST_MENTION - 1));
    for (const at of tokens.keys()) this.#readNumber(at);
    for (const at of tokens.keys()) this.#readPart(at);
  }

  /** Claims names by all of their words, the longest first. */
  #readLongest(by: 'words' | 'key', keyOf: (words: string[]) => string, lengths: readonly number[]) {
    const named = new Map<string, Name[]>();
    for (const name of this.#names) named.set(name[by], [...(named.get(name[by]) ?? []), name]);
    for (const length of lengths.toReversed()) {
      for (let at = 0; at + length <= this.#sentence.tokens.length; at += 1) {
        const found = this.#sentence.areFree(at, length) && named.get(keyOf(this.#words(at, length)));
        if (found && (by === 'key' || this.#isUsedAsName(at, length))) this.#claim(at, length, found);
      }
    }
  }

  #words = (at: number, length: number): string[] => span(at, length).map(this.#sentence.plainAt);

  #claim(at: number, length: number, names: readonly Name[]): void {
    const { is, isFree } = this.#sentence;
    const beside = [at - 1, at + length].filter((token) => is(token, 'placeWord') && isFree(token));
    const places = names.map(({ place }) => place);
    this.#sentence.claim([...beside, ...span(at, length)], { kind: 'place', places });
  }

  /**
   * A name with several words or a number is a name anywhere. A single word ("Queue", "Door") may be a common word: it is
   * a name only in quotes, in capitals, beside "scene" or "camera", or after a preposition of place.
   */
  #isUsedAsName(at: number, length: number): boolean {
    const { tokens, is, plainAt } = this.#sentence;
    const plain = plainAt(at);
    if (length > 1 || /\p{N}/u.test(plain) || QUOTES.test(plainAt(at - 1))) return true;
    const before = this.#wordBefore(at);
    if (before === 'strong' || is(at - 1, 'placeWord') || is(at + 1, 'placeWord')) return true;
    const isCapital = /^\p{Lu}/u.test(tokens[at]?.text ?? '') && at > 0;
    if (this.#meanings.has(plain, 'stop') || this.#meanings.isThing(plain))
      return isCapital && before !== null && !this.#writesCapitals();
    // "Pharmacy yesterday": the first or the last word, beside nothing that it could describe.
    const isAlone = at === 0 ? this.#isNoThing(1) : at === tokens.length - 1 && this.#isNoThing(at - 1);
    return before !== null || isCapital || isAlone;
  }

  #isNoThing(at: number): boolean {
    const token = this.#sentence.tokens[at];
    if (token?.kind !== 'word' || this.#sentence.isFiller(at)) return true;
    return this.#meanings.has(token.plain, ...NO_THINGS);
  }

  /** True for German, where nouns have capitals, and for a query in capitals. */
  #writesCapitals(): boolean {
    const { tokens, language } = this.#sentence;
    const capitals = tokens.slice(1).filter(({ kind, text }) => kind === 'word' && /^\p{Lu}/u.test(text));
    return language === 'de' || capitals.length > 1;
  }

  /** The word before a token that makes it a place: "at", "in", "except", or none. */
  #wordBefore(at: number): 'strong' | 'weak' | 'marker' | null {
    const sentence = this.#sentence;
    const end = at - (sentence.before('article', at)?.length ?? 0);
    if (sentence.is(end - 1, 'placeWord')) return 'strong';
    for (const start of [end, at]) {
      const preposition = sentence.before<'strong' | 'weak'>('at', start);
      if (preposition) return preposition.value;
      if (sentence.before('except', start) ?? sentence.before('not', start)) return 'marker';
    }
    const joined = sentence.before('and', end) ?? sentence.before('or', end);
    return joined && sentence.isIn(end - joined.length - 1, 'place') ? 'marker' : null;
  }

  /** "Till 1, 2 and 3": the numbers share their word. */
  #readNumber(at: number): void {
    const sentence = this.#sentence;
    const owner = sentence.ownerOf(at);
    const isNumber = (token: number) => NUMBER.test(sentence.plainAt(token));
    if (owner?.filter.kind !== 'place' || owner.tokens.at(-1) !== at || !isNumber(at)) return;
    const joined = sentence.free('and', at + 1) ?? sentence.free('or', at + 1);
    const number = at + 1 + (joined?.length ?? 0);
    if (!joined || !sentence.isFree(number) || !isNumber(number)) return;
    const shared = [...owner.tokens.slice(0, -1), number].map(sentence.plainAt);
    const found = this.#names.filter((name) => name.key === this.#meanings.keyOf(shared));
    const isAlone = !sentence.isFree(number + 1) || this.#isNoThing(number + 1);
    if (isAlone && found.length > 0) this.#claim(number, 1, found);
  }

  /** Claims a part of a name after a word for a place. */
  #readPart(at: number): void {
    const { tokens, isFree, areFree } = this.#sentence;
    const said = isFree(at) && this.#wordBefore(at);
    if (!said) return;
    for (let length = Math.min(LONGEST_MENTION, tokens.length - at); length > 0; length -= 1) {
      const words = this.#words(at, length);
      // Till 4 is no other till.
      const isOther = isFree(at + length) && tokens[at + length]?.kind === 'number';
      if (isOther || !areFree(at, length) || !this.#isTelling(words, said === 'strong')) continue;
      const found = this.#namesWith(words);
      if (found.length === 0) continue;
      this.#claim(at, length, found);
      return;
    }
  }

  #namesWith(words: readonly string[]): Name[] {
    const has = (name: Name, part: string) => ` ${name.words} `.includes(` ${part} `);
    const exact = this.#names.filter((name) => has(name, words.join(' ')));
    if (exact.length > 0) return exact;
    const places = words.flatMap((part) => {
      const concept = this.#meanings.conceptOf(part);
      return concept?.role === 'place' ? [concept.word] : [];
    });
    if (places.length < words.length) return [];
    return this.#names.filter((name) => places.every((place) => has(name, place)));
  }

  /** Requires more than function words and numbers. "The queue" counts only after a strong preposition. */
  #isTelling(words: readonly string[], isStrong: boolean): boolean {
    const { has, isThing } = this.#meanings;
    return words.some(
      (word) =>
        word.length >= 3 &&
        !NUMBER.test(word) &&
        !has(word, 'stop', 'people') &&
        (isStrong || !isThing(word)),
    );
  }
}

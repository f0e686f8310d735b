import type { Sense } from '../lexicon.ts';
import type { Sentence } from './sentence.ts';

/** Meanings that are more than words of the lexicon: times of day, amounts, lists of levels. */
export type Reader = (sentence: Sentence, at: number) => Sense | undefined;
export type Readers = Readonly<Record<string, Reader>>;

// biome-ignore lint/suspicious/noExplicitAny: the words of the lexicon have values of several types
export type Values = Readonly<Record<string, any>>;

export interface Match {
  readonly values: Values;
  /** The next token. */
  readonly end: number;
}
export type Pattern = (sentence: Sentence, at: number) => Match | null;

/** A reader of one token, or of a place between tokens, that meets a condition. */
export const when =
  (holds: (sentence: Sentence, at: number) => unknown, length = 1): Reader =>
  (sentence, at) =>
    holds(sentence, at) ? { value: true, length } : undefined;

const BUILT_IN: Readers = { number: (sentence, at) => sentence.numberAt(at) };

/**
 * A pattern of kinds of words, in order: `a|b` is one of several, `name:kind` names the value, which is else named by the
 * kind, `kind?` may be absent, `kind*` may stand any number of times, and `'word` is itself. All tokens must be free.
 */
export function pattern(source: string, own: Readers = {}): Pattern {
  const readers = { ...BUILT_IN, ...own };
  const elements = source.split(' ').map((element) => {
    const [said = '', sign] = element.split(/([?*])$/);
    const [name = '', kinds = name] = said.split(':');
    return { name, kinds: kinds.split('|'), sign };
  });
  const senseOf: (kind: string, ...place: Parameters<Reader>) => Sense | undefined = (kind, sentence, at) => {
    if (kind.startsWith("'"))
      return sentence.plainAt(at) === kind.slice(1) ? { value: kind, length: 1 } : undefined;
    return readers[kind] ? readers[kind](sentence, at) : sentence.senseAt<unknown>(kind, at);
  };
  const match = (sentence: Sentence, at: number, n: number, values: Values): Match | null => {
    const element = elements[n];
    if (!element) return { values, end: at };
    for (const kind of element.kinds) {
      const sense = senseOf(kind, sentence, at);
      if (!sense || !sentence.areFree(at, sense.length)) continue;
      const next = element.sign === '*' ? n : n + 1;
      const read = { ...values, [element.name]: sense.value };
      const found = match(sentence, at + sense.length, next, read);
      if (found) return found;
    }
    return element.sign ? match(sentence, at, n + 1, values) : null;
  };
  return (sentence, at) => match(sentence, at, 0, {});
}

/** A pattern and what it means. */
export type Rule<Meaning> = readonly [Pattern, Meaning];
/** Makes patterns of one meaning, with these readers. */
export const rulesOf =
  <Meaning>(readers: Readers) =>
  (meaning: Meaning, ...sources: readonly string[]): Rule<Meaning>[] =>
    sources.map((source) => [pattern(source, readers), meaning]);

/** What the first of several patterns reads that fits. */
export const oneOf =
  (patterns: readonly Pattern[]): Reader =>
  (sentence, at): Sense<Values> | undefined => {
    for (const read of patterns) {
      const match = read(sentence, at);
      if (match) return { value: match.values, length: match.end - at };
    }
    return undefined;
  };

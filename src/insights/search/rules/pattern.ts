import type { Sense } from '../lexicon.ts';
import type { Sentence } from './sentence.ts';

/** Meanings that are more than words of the lexicon: times of day, amounts, lists of levels. */
export type Reader = (sentence: Sentence, at: number) => Sense | undefined;

interface Element {
  readonly name: string;
  readonly kinds: readonly string[];
  readonly isOptional: boolean;
  readonly isRepeated: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: the words of the lexicon have values of several types
export type Values = Readonly<Record<string, any>>;

export interface Match {
  readonly values: Values;
  /** The next token. */
  readonly end: number;
}

/**
 * A pattern of kinds of words, in order: `a|b` is one of several, `name:kind` names the value, which is else named by the
 * kind, `kind?` may be absent, `kind*` may stand any number of times, and `'word` is itself. All tokens must be free.
 */
export class Pattern {
  readonly #elements: readonly Element[];
  readonly #readers: Readonly<Record<string, Reader>>;

  constructor(source: string, readers: Readonly<Record<string, Reader>> = {}) {
    this.#readers = readers;
    this.#elements = source.split(' ').map((element) => {
      const [, label, kinds, sign] = /^(?:(\w+):)?(.*?)([?*]?)$/.exec(element)!;
      return {
        name: label ?? kinds!,
        kinds: kinds!.split('|'),
        isOptional: sign !== '',
        isRepeated: sign === '*',
      };
    });
  }

  at(sentence: Sentence, at: number): Match | null {
    return this.#match(sentence, at, 0, {});
  }

  #match(sentence: Sentence, at: number, n: number, values: Values): Match | null {
    const element = this.#elements[n];
    if (!element) return { values, end: at };
    for (const kind of element.kinds) {
      const sense = this.#senseOf(sentence, kind, at);
      if (!sense) continue;
      const next = element.isRepeated ? n : n + 1;
      const found = this.#match(sentence, at + sense.length, next, {
        ...values,
        [element.name]: sense.value,
      });
      if (found) return found;
    }
    return element.isOptional ? this.#match(sentence, at, n + 1, values) : null;
  }

  #senseOf(sentence: Sentence, kind: string, at: number): Sense | undefined {
    if (kind.startsWith("'"))
      return sentence.isFree(at) && sentence.tokens[at]!.plain === kind.slice(1)
        ? { value: kind, length: 1 }
        : undefined;
    const reader = this.#readers[kind];
    const sense = reader ? reader(sentence, at) : sentence.senseAt<unknown>(kind, at);
    return sense && sentence.areFree(at, sense.length) ? sense : undefined;
  }
}

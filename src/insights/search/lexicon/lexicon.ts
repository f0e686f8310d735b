import { firstOf } from '../../../catalogue/items/items.ts';
import { plainOf } from '../read/query-text.ts';

/** What a query is written in: `other` languages are not read. */
export type Language = 'en' | 'de' | 'other';

/** Folds a word for comparison: lower case, without accents, `ß` as `ss`, `ё` as `е`. */
export const fold = (word: string): string => plainOf(word).replace(/ß/g, 'ss').replace(/ё/g, 'е');

interface Entry {
  readonly value: unknown;
  /** Folded. A word that ends in `*` matches every word with this beginning. */
  readonly words: readonly string[];
}

export interface Sense<Value> {
  readonly value: Value;
  /** The number of tokens of the phrase. */
  readonly length: number;
}

const BUCKET = 2;
const fits = (word: string, pattern: string): boolean =>
  pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;

/** Words and phrases, each with a kind and a value. A word may have senses of several kinds. */
export class Lexicon {
  readonly #byStart = new Map<string, Entry[]>();
  readonly #all: Entry[] = [];

  /** @param words phrases separated by `|`; a word that ends in `*` is a beginning */
  add<Kind extends string>(kind: Kind, value: unknown, words: string): this {
    for (const phrase of words.split('|').flatMap(spellings)) {
      const entry = { value, words: phrase.split(' ') };
      const start = `${kind} ${firstOf(entry.words).slice(0, BUCKET).replace('*', '')}`;
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), entry]);
      this.#all.push(entry);
    }
    return this;
  }

  /** The longest phrase of a kind that begins at a word. @param words folded */
  at<Value>(kind: string, words: readonly string[], at: number): Sense<Value> | undefined {
    const first = words[at];
    if (first === undefined) return undefined;
    let best: Entry | undefined;
    for (let length = Math.min(BUCKET, first.length); length > 0; length -= 1) {
      for (const entry of this.#byStart.get(`${kind} ${first.slice(0, length)}`) ?? []) {
        if (best && best.words.length >= entry.words.length) continue;
        if (entry.words.every((pattern, n) => fits(words[at + n] ?? '', pattern))) best = entry;
      }
    }
    return best && { value: best.value as Value, length: best.words.length };
  }

  /** Single words and beginnings of words, folded. */
  get singles(): string[] {
    return [...new Set(this.#all.flatMap(({ words }) => (words.length === 1 ? words : [])))];
  }
}

/** German umlauts are also typed as two letters: `länger`, `laenger`. Many people write "more then", and say "mehr wie". */
function spellings(phrase: string): string[] {
  const typed = phrase.replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue');
  const loose = phrase.replace(/ than$/, ' then').replace(/ als$/, ' wie');
  return [...new Set([fold(phrase), fold(typed), fold(loose)])];
}

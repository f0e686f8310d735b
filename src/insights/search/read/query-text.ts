// Word boundaries for scripts that have them: Chinese and Japanese words stand side by side.
const LETTER = String.raw`[\p{sc=Latin}\p{sc=Cyrillic}\p{N}]`;

/** A pattern of whole words. In `source` groups are named or not captured; letters have no accents. */
export const phrase = (source: string): RegExp => new RegExp(`(?<!${LETTER})(?:${source})(?!${LETTER})`, 'u');

/** Lower case, without the accents of Latin letters. Keeps the length of a normalised text. */
export const plainOf = (text: string): string =>
  text.toLowerCase().replace(/\p{sc=Latin}/gu, (letter) => {
    const base = letter.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
    return base.length === letter.length ? base : letter;
  });

/** A query out of which each part is cut as it is understood, so that nothing is read twice. */
export class QueryText {
  /** As it was written, in normal form; letter for letter as long as the others. */
  readonly cased: string;
  #words: string;
  #plain: string;

  constructor(text: string) {
    const normal = text
      .normalize('NFKC')
      .replace(/[’‘`]/g, "'")
      .replace(/[‐‑]/g, '-')
      .replace(/\s+/g, ' ')
      .trim();
    this.#words = normal.toLowerCase().normalize('NFC');
    // A few capitals are longer in lower case.
    this.cased = normal.length === this.#words.length ? normal : this.#words;
    this.#plain = plainOf(this.#words);
  }

  /** The same text with nothing left but a part of it. */
  within(from: number, to: number): QueryText {
    const part = new QueryText('');
    const only = (text: string) =>
      ' '.repeat(from) + text.slice(from, to) + ' '.repeat(Math.max(0, text.length - to));
    part.#words = only(this.#words);
    part.#plain = only(this.#plain);
    return part;
  }

  /** What of this text another one, in which more was cut out, has no longer. */
  without(other: QueryText): QueryText {
    const part = this.within(0, this.#plain.length);
    for (let at = 0; at < this.#plain.length; at += 1) if (other.#plain[at] !== ' ') part.cut(at, 1);
    return part;
  }

  /** What is left, in lower case. */
  get words(): string {
    return this.#words;
  }

  /** The same without accents; letter for letter as long. */
  get plain(): string {
    return this.#plain;
  }

  /** Cuts the first match out. */
  take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.#plain);
    if (match) this.cut(match.index, match[0].length);
    return match;
  }

  /** Cuts every match out. */
  takeAll(pattern: RegExp): RegExpExecArray[] {
    const found: RegExpExecArray[] = [];
    for (let match = this.take(pattern); match; match = this.take(pattern)) found.push(match);
    return found;
  }

  /** Leaves blanks, so that places in the text stay what they are. */
  cut(at: number, length: number): void {
    const blank = (text: string) => text.slice(0, at) + ' '.repeat(length) + text.slice(at + length);
    this.#words = blank(this.#words);
    this.#plain = blank(this.#plain);
  }
}

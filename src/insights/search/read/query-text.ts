// Word boundaries exist only in scripts with spaces, not in Chinese and Japanese.
const LETTER = String.raw`[\p{sc=Latin}\p{sc=Cyrillic}\p{N}]`;

/** A pattern of whole words. `source` has no accents and no numbered groups. */
export const phrase = (source: string): RegExp => new RegExp(`(?<!${LETTER})(?:${source})(?!${LETTER})`, 'u');

/** Lower case without accents of Latin letters. A normalised text keeps its length. */
export const plainOf = (text: string): string =>
  // The letters of ASCII have none, and a search reads the names of thousands of places.
  text.toLowerCase().replace(/(?=\P{ASCII})\p{sc=Latin}/gu, (letter) => {
    const base = letter.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
    return base.length === letter.length ? base : letter;
  });

/** The text of a query. Understood parts are cut out, so that nothing is read twice. */
export class QueryText {
  /** The normalised text in its original case, of the same length as the others. */
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
    // Some capitals are longer in lower case.
    this.cased = normal.length === this.#words.length ? normal : this.#words;
    this.#plain = plainOf(this.#words);
  }

  /** The same text with everything blank outside a range. */
  within(from: number, to: number): QueryText {
    const part = new QueryText('');
    const only = (text: string) =>
      ' '.repeat(from) + text.slice(from, to) + ' '.repeat(Math.max(0, text.length - to));
    part.#words = only(this.#words);
    part.#plain = only(this.#plain);
    return part;
  }

  /** The parts of this text that are blank in `other`. */
  without(other: QueryText): QueryText {
    const part = this.within(0, this.#plain.length);
    for (let at = 0; at < this.#plain.length; at += 1) if (other.#plain[at] !== ' ') part.cut(at, 1);
    return part;
  }

  /** The rest of the text in lower case. */
  get words(): string {
    return this.#words;
  }

  /** The rest of the text in lower case without accents, of the same length. */
  get plain(): string {
    return this.#plain;
  }

  /** Cuts out the first match. */
  take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.#plain);
    if (match) this.cut(match.index, match[0].length);
    return match;
  }

  /** Cuts out every match. */
  takeAll(pattern: RegExp): RegExpExecArray[] {
    const found: RegExpExecArray[] = [];
    for (let match = this.take(pattern); match; match = this.take(pattern)) found.push(match);
    return found;
  }

  /** Replaces a part by blanks, so that positions stay the same. */
  cut(at: number, length: number): void {
    const blank = (text: string) => text.slice(0, at) + ' '.repeat(length) + text.slice(at + length);
    this.#words = blank(this.#words);
    this.#plain = blank(this.#plain);
  }
}

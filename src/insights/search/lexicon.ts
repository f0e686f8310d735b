import { CONCEPTS } from './words/concepts.ts';
import { ENGLISH } from './words/english.ts';
import { GERMAN } from './words/german.ts';

/** What a query is written in: `other` languages are not read. */
export type Language = 'en' | 'de' | 'other';

/** A thing or an activity that summaries describe. */
export interface Concept {
  /** The English word that is searched and shown. */
  readonly word: string;
  /** Synonyms in English: beginnings of words; a blank joins words that follow one another. */
  readonly also: readonly string[];
  readonly role: 'place' | 'quality' | 'thing';
  /** The query has the word in English, so it is shown as written. */
  readonly isEnglish: boolean;
}

/** A meaning of a phrase: a value, and how many tokens it has. */
export interface Sense<Value = unknown> {
  readonly value: Value;
  readonly length: number;
}
export type Senses = ReadonlyMap<string, Sense>;

interface Entry {
  readonly kind: string;
  readonly value: unknown;
  /** Folded. A word that ends in `*` matches every word with this beginning. */
  readonly words: readonly string[];
}

/** Lower case without accents of Latin letters. A normalised text keeps its length. */
export const plainOf = (text: string): string =>
  // The letters of ASCII have none, and a search reads the names of thousands of places.
  text.toLowerCase().replace(/(?=\P{ASCII})\p{sc=Latin}/gu, (letter) => {
    const base = letter.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
    return base.length === letter.length ? base : letter;
  });

/** Folds a word for comparison: lower case, without accents, `ß` as `ss`. */
export const fold = (word: string): string => plainOf(word).replace(/ß/g, 'ss');

const COUNTED = {
  en: 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  de: 'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
};
const TENS = { en: 'thirty forty fifty sixty', de: 'dreißig vierzig fünfzig sechzig' };
const BUCKET = 2;
const fits = (word: string, pattern: string): boolean =>
  pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;

/** The words of a language with their kinds and values. A word may have senses of several kinds. */
export class Lexicon {
  readonly #byStart = new Map<string, Entry[]>();
  readonly #all: Entry[] = [];

  constructor(language: Language) {
    if (language === 'other') return;
    for (const line of (language === 'en' ? ENGLISH : GERMAN).trim().split('\n')) this.#addLine(line);
    for (const [at, word] of COUNTED[language].split(' ').entries()) {
      this.#add('number', at + 1, word);
      const half = language === 'en' ? `${word} and a half` : `${word.replace('eins', 'ein')}einhalb`;
      this.#add('number', at + 1.5, half);
    }
    for (const [at, word] of TENS[language].split(' ').entries()) this.#add('number', 10 * at + 30, word);
    this.#add('number', 90, language === 'en' ? 'ninety' : 'neunzig');
    for (const line of CONCEPTS.trim().split('\n')) {
      const [names, english, german] = line.split(' = ') as [string, string, string];
      const [, role, all] = /^(\w+) (.*)$/.exec(names)!;
      const [word, ...also] = all!.split('/') as [string, ...string[]];
      const concept = { word, also, role: role as Concept['role'], isEnglish: language === 'en' };
      this.#add('concept', concept, language === 'en' ? english : german);
    }
  }

  /** `kind: phrases`, `kind=value: phrases`, or `kind#1: phrases of 1; phrases of 2`. */
  #addLine(line: string): void {
    const [, kind, sign, said, phrases] = /^(\w+)([=#]?)([^:]*): (.*)$/.exec(line)!;
    const value = said === '' ? true : Number.isNaN(Number(said)) ? said : Number(said);
    if (sign !== '#') this.#add(kind!, value, phrases!);
    else for (const [at, one] of phrases!.split('; ').entries()) this.#add(kind!, Number(said) + at, one);
  }

  #add(kind: string, value: unknown, phrases: string): void {
    for (const phrase of phrases.split('|').flatMap(spellings)) {
      if (phrase === '') continue;
      const entry = { kind, value, words: phrase.split(' ') };
      const start = entry.words[0]!.slice(0, BUCKET).replace('*', '');
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), entry]);
      this.#all.push(entry);
    }
  }

  /** The longest phrase of each kind that begins at a word. @param words folded */
  sensesAt(words: readonly string[], at: number): Senses {
    const senses = new Map<string, Sense>();
    const first = words[at]!;
    for (let length = Math.min(BUCKET, first.length); length > 0; length -= 1) {
      for (const { kind, value, words: said } of this.#byStart.get(first.slice(0, length)) ?? []) {
        if (said.length <= (senses.get(kind)?.length ?? 0)) continue;
        if (said.every((pattern, n) => fits(words[at + n] ?? '', pattern)))
          senses.set(kind, { value, length: said.length });
      }
    }
    return senses;
  }

  /** The senses of a single word. @param word folded */
  sensesOf = (word: string): Senses => this.sensesAt([word], 0);

  /** Single words and beginnings of words, folded. */
  get singles(): string[] {
    return [
      ...new Set(
        this.#all.flatMap(({ kind, words }) => (words.length === 1 && kind !== 'stop' ? words : [])),
      ),
    ];
  }
}

/** German umlauts are also typed as two letters: `länger`, `laenger`. Many people write "more then", and say "mehr wie". */
function spellings(phrase: string): string[] {
  const typed = phrase.replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue');
  const loose = phrase.replace(/ than$/, ' then').replace(/ als$/, ' wie');
  return [...new Set([fold(phrase), fold(typed), fold(loose)])];
}

/** The words of each language. A sentence is read with those of its own language alone. */
export const LEXICONS: Readonly<Record<Language, Lexicon>> = {
  en: new Lexicon('en'),
  de: new Lexicon('de'),
  other: new Lexicon('other'),
};

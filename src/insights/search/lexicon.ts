import { WORDS } from './words.ts';

/** What a query is written in: `other` languages are not read. */
export type Language = 'en' | 'de' | 'other';

/** A thing or an activity that summaries describe. */
export interface Concept {
  /** The English word that is searched and shown. */
  readonly word: string;
  /** Synonyms in English: beginnings of words; a blank joins words that follow one another. */
  readonly also: readonly string[];
  readonly role: 'place' | 'quality' | 'thing';
}

/** A meaning of a phrase: a value, and how many tokens it has. */
export interface Sense<Value = unknown> {
  readonly value: Value;
  readonly length: number;
}
export type Senses = ReadonlyMap<string, Sense>;

/** Lower case without accents of Latin letters. A normalised text keeps its length. */
export const plainOf = (text: string): string =>
  // The letters of ASCII have none, and a search reads the names of thousands of places.
  text.toLowerCase().replace(/(?=\P{ASCII})\p{sc=Latin}/gu, (letter) => {
    const base = letter.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
    return base.length === letter.length ? base : letter;
  });

/** Folds a word for comparison: lower case, without accents, `ß` as `ss`. */
export const fold = (word: string): string => plainOf(word).replace(/ß/g, 'ss');

const ROW = /^(\w+)([=#]?)([^:]*):(?: (.*?))? \/(?: (.*))?$/;
const BUCKET = 2;
const fits = (word: string | undefined, pattern: string): boolean =>
  word === pattern || (pattern.endsWith('*') && !!word?.startsWith(pattern.slice(0, -1)));

/** The words of a language with their kinds and values. A word may have senses of several kinds. */
export class Lexicon {
  readonly #byStart = new Map<string, { kind: string; value: unknown; words: readonly string[] }[]>();
  /** Single words and beginnings of words with a meaning, folded. */
  readonly singles = new Set<string>();

  constructor(language: Language) {
    for (const row of language === 'other' ? [] : WORDS.trim().split('\n')) {
      const [, kind = '', sign, said = '', english = '', german = ''] = ROW.exec(row)!;
      const values = kind === 'concept' ? [conceptOf(said)] : said.split(';').map(numbered);
      const lists = (language === 'en' ? english : german).split(
        values.length > 1 || sign === '#' ? /; ?/ : '\n',
      );
      for (const [at, phrases] of lists.entries())
        this.#add(kind, sign === '#' ? Number(said) + at : values[at], phrases);
    }
  }

  #add(kind: string, value: unknown, phrases: string): void {
    for (const phrase of phrases.split('|').filter(Boolean).flatMap(spellings)) {
      const words = phrase.split(' ');
      const start = phrase.slice(0, BUCKET).replace(/[* ].*/, '');
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), { kind, value, words }]);
      if (words.length === 1 && kind !== 'stop') this.singles.add(phrase);
    }
  }

  /** The longest phrase of each kind that begins at the first word; none where there is no word. @param words folded */
  sensesFrom(words: readonly string[]): Senses {
    const senses = new Map<string, Sense>();
    const [first = ''] = words;
    for (let length = Math.min(BUCKET, first.length); length > 0; length -= 1) {
      for (const { kind, value, words: said } of this.#byStart.get(first.slice(0, length)) ?? []) {
        if (said.length <= (senses.get(kind)?.length ?? 0)) continue;
        if (said.every((pattern, n) => fits(words[n], pattern)))
          senses.set(kind, { value, length: said.length });
      }
    }
    return senses;
  }

  /** The senses of a single word. @param word folded */
  sensesOf(word: string): Senses {
    return this.sensesFrom([word]);
  }
}

const numbered = (said: string) => (said === '' ? true : Number.isNaN(Number(said)) ? said : Number(said));

function conceptOf(said: string): Concept {
  const [role, names] = said.split(/ (.*)/) as [Concept['role'], string];
  const [word, ...also] = names.split('/') as [string, ...string[]];
  return { word, also, role };
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

import type { Db } from '../../platform/database/db.ts';
import { editDistance } from '../../platform/explain/edit-distance.ts';
import type { NamedPlace, ParsedQuery } from './filters.ts';
import { fold, type Language, LEXICONS } from './lexicon.ts';
import { type LikeWords, wordsLike } from './spelling.store.ts';
import { beginning } from './tsquery.ts';

/** A misspelt word and the word that was read instead. */
export interface Correction {
  readonly text: string;
  readonly to: string;
}

const SHORTEST = 4;
const SHORTEST_TARGET = 5;
/** From this length on two letters may be wrong. */
const LONG = 9;

/** Words of a language with which misspelt ones are compared. */
const targetsOf = (language: Language): string[] =>
  LEXICONS[language].singles.filter((word) => word.replace('*', '').length >= SHORTEST_TARGET);
const TARGETS = { en: targetsOf('en'), de: targetsOf('de'), other: [] };

/** Keywords that neither the lexicon nor the user's names know, in the order of the query. */
export const suspects = (parsed: ParsedQuery): string[] =>
  [parsed, ...parsed.excluded]
    .flatMap(({ keywords }) => keywords)
    .flatMap(({ word, forms }) => (forms.length === 1 ? [word] : []))
    .filter((word) => /^\p{L}+$/u.test(word) && word.length >= SHORTEST && !isKnown(fold(word)));

const isKnown = (word: string): boolean =>
  LEXICONS.en.sensesOf(word).has('concept') || LEXICONS.de.sensesOf(word).has('concept');

interface Suspected {
  readonly words: readonly string[];
  readonly places: readonly NamedPlace[];
  /** Null where the right words may be of any language. */
  readonly language: Language | null;
}

/**
 * Corrects misspelt words with the words of the lexicon, of the caller’s devices and scenes, and of the caller’s
 * insights. A word that occurs in an insight stays as it is.
 */
export async function correctSpelling(
  db: Db,
  userId: string,
  { words, places, language }: Suspected,
): Promise<Correction[]> {
  if (words.length === 0) return [];
  const like = await wordsLike(
    db,
    userId,
    words.map((word) => ({ word: fold(word), beginning: beginning(word) })),
  );
  const lexicon = language ? TARGETS[language] : [...TARGETS.en, ...TARGETS.de];
  const isNamed = new Set(places.flatMap(({ name }) => partsOf(name)));
  return words.flatMap((word) => {
    const plain = fold(word);
    if (like.known.has(plain) || isNamed.has(plain)) return [];
    const to = nearest(plain, like, lexicon);
    return to ? [{ text: word, to }] : [];
  });
}

const partsOf = (name: string): string[] => fold(name).match(/[\p{L}\p{M}]+/gu) ?? [];

interface Candidate {
  readonly to: string;
  readonly distance: number;
  /** The largest distance at which it may be meant. */
  readonly most: number;
}

const wholeWord = (word: string, to: string): Candidate => ({
  to,
  distance: distanceOf(word, to),
  most: allowed(word, to),
});

/** A beginning of words in the lexicon gets the ending of the written word. */
const beginnings = (word: string, stem: string): Candidate[] =>
  [stem.length, stem.length - 1, stem.length + 1].flatMap((length) => {
    const start = word.slice(0, length);
    if (start.length < length) return [];
    return [{ ...wholeWord(start, stem), to: stem + word.slice(length) }];
  });

function nearest(word: string, like: LikeWords, lexicon: readonly string[]): string | null {
  // Among equal candidates the first wins: names, then words with a meaning, then keywords.
  const candidates = [
    ...(like.names.get(word) ?? []).flatMap(partsOf).map((part) => wholeWord(word, part)),
    ...lexicon.flatMap((known) =>
      known.endsWith('*') ? beginnings(word, known.slice(0, -1)) : [wholeWord(word, known)],
    ),
    ...(like.words.get(word) ?? []).map((seen) => wholeWord(word, seen)),
  ];
  const [best] = candidates
    .filter(({ distance, most }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return best?.to ?? null;
}

function allowed(word: string, to: string): number {
  const longer = Math.max(word.length, to.length);
  if (to.length < SHORTEST_TARGET || word[0] !== to[0]) return 0;
  return longer >= LONG ? 2 : 1;
}

/** Words of very different length are not compared letter by letter. */
const distanceOf = (a: string, b: string): number =>
  Math.abs(a.length - b.length) > 2 ? Number.POSITIVE_INFINITY : editDistance(a, b);

/** The query with corrected words. */
export const corrected = (query: string, corrections: readonly Correction[]): string =>
  corrections.reduce(
    (text, { text: wrong, to }) =>
      text.replace(new RegExp(`(?<![\\p{L}\\p{M}])${wrong}(?![\\p{L}\\p{M}])`, 'giu'), () => to),
    query.normalize('NFKC'),
  );

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
  [...LEXICONS[language].singles].filter((word) => word.replace('*', '').length >= SHORTEST_TARGET);
const TARGETS = { en: targetsOf('en'), de: targetsOf('de'), other: [] };

/** Keywords that neither the lexicon nor the user's names know, in the order of the query. */
export const suspects = (parsed: ParsedQuery): string[] =>
  [parsed, ...parsed.excluded]
    .flatMap(({ keywords }) => keywords)
    .flatMap(({ word, forms }) => (forms.length === 1 ? [word] : []))
    .filter((word) => /^\p{L}+$/u.test(word) && word.length >= SHORTEST && !isConcept(fold(word)));

const isConcept = (word: string): boolean =>
  [LEXICONS.en, LEXICONS.de].some((lexicon) => lexicon.sensesOf(word).has('concept'));

/**
 * Corrects misspelt words with the words of the lexicon, of the caller’s devices and scenes, and of the caller’s
 * insights. A word that occurs in an insight stays as it is.
 * @param language null where the right words may be of any language
 */
export async function correctSpelling(
  db: Db,
  userId: string,
  asked: {
    readonly words: readonly string[];
    readonly places: readonly NamedPlace[];
    readonly language: Language | null;
  },
): Promise<Correction[]> {
  const { words, places, language } = asked;
  if (words.length === 0) return [];
  const folded = words.map((word) => ({ word: fold(word), beginning: beginning(word) }));
  const like = await wordsLike(db, userId, folded);
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
}

/** A word that may be meant: the same first letter, and at most one wrong letter, or two of a long word. */
function candidate(word: string, target: string, to = target): Candidate[] {
  const [longer, shorter] = [Math.max(word.length, target.length), Math.min(word.length, target.length)];
  const most = target.length < SHORTEST_TARGET || word[0] !== target[0] ? 0 : longer >= LONG ? 2 : 1;
  // Words of very different length are not compared letter by letter.
  const distance = longer - shorter > 2 ? Number.POSITIVE_INFINITY : editDistance(word, target);
  return distance <= most ? [{ to, distance }] : [];
}

/** A beginning of words in the lexicon gets the ending of the written word. */
const beginnings = (word: string, stem: string): Candidate[] =>
  [stem.length, stem.length - 1, stem.length + 1].flatMap((length) =>
    length <= word.length ? candidate(word.slice(0, length), stem, stem + word.slice(length)) : [],
  );

function nearest(word: string, like: LikeWords, lexicon: readonly string[]): string | undefined {
  // Among equal candidates the first wins: names, then words with a meaning, then keywords.
  const candidates = [
    ...(like.names.get(word) ?? []).flatMap(partsOf).flatMap((part) => candidate(word, part)),
    ...lexicon.flatMap((known) =>
      known.endsWith('*') ? beginnings(word, known.slice(0, -1)) : candidate(word, known),
    ),
    ...(like.words.get(word) ?? []).flatMap((seen) => candidate(word, seen)),
  ];
  return candidates.sort((a, b) => a.distance - b.distance)[0]?.to;
}

/** The query with corrected words. */
export const corrected = (query: string, corrections: readonly Correction[]): string =>
  corrections.reduce(
    (text, { text: wrong, to }) =>
      text.replace(new RegExp(`(?<![\\p{L}\\p{M}])${wrong}(?![\\p{L}\\p{M}])`, 'giu'), () => to),
    query.normalize('NFKC'),
  );

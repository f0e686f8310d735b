import { existing, itemAt } from '../../../catalogue/items/items.ts';
import type { NamedPlace } from '../filters.ts';
import type { Concept } from '../lexicon/concepts.ts';
import { DATE_WORDS } from '../lexicon/date-words.ts';
import { fold } from '../lexicon/lexicon.ts';
import { numberWords } from '../lexicon/numbers.ts';
import { isStopWord as isStopWordOf } from '../lexicon/stop-words.ts';
import { WORDS } from '../lexicon/words.ts';
import { type Sentence, span } from './sentence.ts';

const LONGEST_MENTION = 4;
const QUOTES = /^["“”„«»]$/;

interface Name {
  readonly place: NamedPlace;
  readonly words: readonly string[];
  /** The same words without regard to language: "Kasse" becomes "till". */
  readonly keys: readonly string[];
}

const wordsOf = (name: string): string[] =>
  fold(name.normalize('NFKC')).match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? [];
/** Names may be in another language than the query. */
const LANGUAGES = ['en', 'de'] as const;
const isStopWord = (word: string): boolean => LANGUAGES.some((language) => isStopWordOf(word, language));
const conceptOf = (word: string): Concept | undefined =>
  /^\p{N}/u.test(word)
    ? undefined
    : LANGUAGES.map((language) => WORDS[language].at<Concept>('concept', [word], 0)?.value).find(Boolean);
/** "Kasse zwei" is Till 2. */
const keyOf = (word: string): string => conceptOf(word)?.word ?? digitsOf(word) ?? word;
const digitsOf = (word: string): string | undefined =>
  LANGUAGES.map((language) => numberWords(language).get(word))
    .find(Boolean)
    ?.toString();

/**
 * Claims the names of the user's devices and scenes: first full names anywhere and in any language of the lexicon, then
 * parts of names where the query names a place. A mention that fits several places means any of them.
 */
export function readNames(sentence: Sentence, places: readonly NamedPlace[]): void {
  const keys = new Map<string, string>();
  const keyed = (word: string): string => {
    const key = keys.get(word) ?? keyOf(word);
    keys.set(word, key);
    return key;
  };
  const names = places.map((place): Name => {
    const words = wordsOf(place.name);
    return { place, words, keys: words.map(keyed).sort() };
  });
  readWhole(sentence, names);
  readTranslated(sentence, names);
  readNumbered(sentence, names);
  readParts(sentence, names);
}

function readWhole(sentence: Sentence, names: readonly Name[]): void {
  const byName = new Map<string, Name[]>();
  for (const name of names) {
    const key = name.words.join(' ');
    if (key !== '') byName.set(key, [...(byName.get(key) ?? []), name]);
  }
  const longest = Math.max(0, ...names.map(({ words }) => words.length));
  for (let length = Math.min(longest, sentence.tokens.length); length > 0; length -= 1) {
    for (let at = 0; at + length <= sentence.tokens.length; at += 1) {
      const found = byName.get(plainOf(sentence, at, length));
      if (!found || !sentence.areFree(at, length) || !isUsedAsName(sentence, at, length)) continue;
      claim(sentence, at, length, found);
    }
  }
}

const plainOf = (sentence: Sentence, at: number, length: number): string =>
  sentence.tokens
    .slice(at, at + length)
    .map(({ plain }) => plain)
    .join(' ');

function claim(sentence: Sentence, at: number, length: number, names: readonly Name[]): void {
  const tokens = span(at, length);
  const beside = [
    sentence.senseAt('placeWord', at - 1) && at - 1,
    sentence.senseAt('placeWord', at + length) && at + length,
  ];
  const placeWords = beside.filter(
    (token): token is number => typeof token === 'number' && sentence.isFree(token),
  );
  sentence.claim([...placeWords, ...tokens], { kind: 'place', places: names.map(({ place }) => place) });
}

/**
 * A name with several words or a number is a name anywhere. A single word ("Queue", "Door") may be a common word: it is
 * a name only in quotes, in capitals, beside "scene" or "camera", or after a preposition of place.
 */
function isUsedAsName(sentence: Sentence, at: number, length: number): boolean {
  if (length > 1 || /\p{N}/u.test(itemAt(sentence.tokens, at).plain)) return true;
  const { plain, text } = itemAt(sentence.tokens, at);
  if (QUOTES.test(sentence.tokens[at - 1]?.plain ?? '')) return true;
  if (sentence.senseAt('placeWord', at - 1) || sentence.senseAt('placeWord', at + 1)) return true;
  const before = wordBefore(sentence, at);
  if (before === 'strong') return true;
  const isThing = isStopWord(plain) || (conceptOf(plain)?.role ?? 'place') !== 'place';
  if (isThing) return isCapital(text) && at > 0 && !writesNounsInCapitals(sentence) && before !== null;
  if (before !== null || (isCapital(text) && at > 0)) return true;
  return standsAlone(sentence, at);
}

/** "Pharmacy yesterday": the first or the last word, beside nothing that it could describe. */
function standsAlone(sentence: Sentence, at: number): boolean {
  if (at === 0) return isNoThing(sentence, 1);
  return at === sentence.tokens.length - 1 && isNoThing(sentence, at - 1);
}

function isNoThing(sentence: Sentence, at: number): boolean {
  const token = sentence.tokens[at];
  if (token?.kind !== 'word' || sentence.isFiller(at)) return true;
  const isDate = LANGUAGES.some((language) => DATE_WORDS[language].known.has(token.plain));
  return (
    isDate ||
    ['severity', 'level', 'comparison', 'and', 'or'].some((kind) => sentence.senseAt(kind, at) !== undefined)
  );
}

const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text);

/** True for German, and for a query in capitals. */
const writesNounsInCapitals = ({ tokens, language }: Sentence): boolean =>
  language === 'de' ||
  tokens.filter(({ kind, text }, at) => at > 0 && kind === 'word' && isCapital(text)).length > 1;

/** The word before a token that makes it a place: "at", "in", "except", or none. */
function wordBefore(sentence: Sentence, at: number): 'strong' | 'weak' | 'marker' | null {
  let end = at;
  const article = sentence.before('article', end);
  if (article) end -= article.length;
  if (sentence.senseAt('placeWord', end - 1)) return 'strong';
  for (const start of article ? [end, at] : [at]) {
    const preposition = sentence.before<'strong' | 'weak'>('at', start);
    if (preposition) return preposition.value;
    if (sentence.before('except', start) || sentence.before('not', start)) return 'marker';
  }
  const joined = sentence.before('and', end) ?? sentence.before('or', end);
  if (!joined) return null;
  return sentence.phrases.some(
    ({ tokens, filter }) => filter.kind === 'place' && tokens.includes(end - joined.length - 1),
  )
    ? 'marker'
    : null;
}

/** "Kasse 3" is Till 3 unless a place is named Kasse 3. */
function readTranslated(sentence: Sentence, names: readonly Name[]): void {
  const byKeys = new Map<string, Name[]>();
  for (const name of names) {
    if (name.words.length < 2) continue;
    const key = name.keys.join(' ');
    byKeys.set(key, [...(byKeys.get(key) ?? []), name]);
  }
  for (let length = LONGEST_MENTION; length > 0; length -= 1) {
    for (let at = 0; at + length <= sentence.tokens.length; at += 1) {
      if (!sentence.areFree(at, length)) continue;
      const keys = sentence.tokens.slice(at, at + length).map(({ plain }) => keyOf(plain));
      const found = byKeys.get(keys.sort().join(' '));
      if (found && length > 1) claim(sentence, at, length, found);
    }
  }
}

/** "Till 1, 2 and 3": the numbers share their word. */
function readNumbered(sentence: Sentence, names: readonly Name[]): void {
  const plainAt = (at: number) => itemAt(sentence.tokens, at).plain;
  for (let at = 1; at < sentence.tokens.length; at += 1) {
    const owner = sentence.ownerOf(at);
    if (owner?.filter.kind !== 'place' || owner.tokens.at(-1) !== at || !isNumber(plainAt(at))) continue;
    const joined = sentence.free('and', at + 1) ?? sentence.free('or', at + 1);
    const number = at + 1 + (joined?.length ?? 0);
    if (!joined || !sentence.isFree(number) || !isNumber(plainAt(number))) continue;
    const isAlone = !sentence.isFree(number + 1) || isNoThing(sentence, number + 1);
    const keys = owner.tokens.slice(0, -1).map((token) => keyOf(plainAt(token)));
    const key = [...keys, plainAt(number)].sort().join(' ');
    const found = names.filter((name) => name.keys.join(' ') === key);
    if (isAlone && found.length > 0) claim(sentence, number, 1, found);
  }
}

const isNumber = (word: string): boolean => /^\p{N}+$/u.test(word);
function readParts(sentence: Sentence, names: readonly Name[]): void {
  for (let at = 0; at < sentence.tokens.length; at += 1) {
    if (!sentence.isFree(at)) continue;
    const said = wordBefore(sentence, at);
    if (!said) continue;
    const mention = longestPart(sentence, { at, said, names });
    if (mention) claim(sentence, at, mention.length, mention.found);
  }
}

interface Mention {
  readonly at: number;
  readonly said: 'strong' | 'weak' | 'marker';
  readonly names: readonly Name[];
}

function longestPart(
  sentence: Sentence,
  { at, said, names }: Mention,
): { length: number; found: Name[] } | null {
  for (let length = Math.min(LONGEST_MENTION, sentence.tokens.length - at); length > 0; length -= 1) {
    if (!sentence.areFree(at, length)) continue;
    const words = sentence.tokens.slice(at, at + length).map(({ plain }) => plain);
    if (!isTelling(words, said)) continue;
    // Till 4 is no other till.
    if (sentence.isFree(at + length) && itemAt(sentence.tokens, at + length).kind === 'number') continue;
    const exact = names.filter((name) => contains(name.words, words));
    if (exact.length > 0) return { length, found: exact };
    const concepts = words.map(conceptOf);
    if (!concepts.every((concept) => concept?.role === 'place')) continue;
    const keys = concepts.map((concept) => existing(concept, 'concept').word);
    const meant = names.filter(({ words: of }) => keys.every((key) => of.includes(key)));
    if (meant.length > 0) return { length, found: meant };
  }
  return null;
}

/**
 * Requires more than function words and numbers. A word for a thing ("the queue") counts only after a strong
 * preposition.
 */
function isTelling(words: readonly string[], said: Mention['said']): boolean {
  return words.some(
    (word) =>
      word.length >= 3 &&
      !isStopWord(word) &&
      !/^\p{N}+$/u.test(word) &&
      (said === 'strong' || (conceptOf(word)?.role ?? 'place') === 'place') &&
      !LANGUAGES.some((language) => WORDS[language].at('people', [word], 0)),
  );
}

const contains = (all: readonly string[], some: readonly string[]): boolean =>
  all.some((_, at) => some.every((word, n) => all[at + n] === word));

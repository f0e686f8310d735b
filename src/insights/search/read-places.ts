import { phrase, plainOf, type QueryText } from './query-text.ts';
import { isStopWord } from './stop-words.ts';

/** A device or scene that a query may name. */
export interface NamedPlace {
  readonly kind: 'device' | 'scene';
  readonly id: string;
  readonly name: string;
}

const AT =
  'at|in|on|near|by|from|outside|inside|of|for|bei|beim|am|im|an|auf|vor|in der|an der|von|chez|a|au|aux|dans|devant|pres de|en|del?|al|nel|nella|alla|presso|bij|op|aan|no|na|nos|nas|em|perto de|у|на|в|возле|около|在';
const ARTICLE = "the|our|my|der|die|das|dem|den|le|la|les|l'|el|los|las|il|lo|gli|de|het|o|os|as";
const LONGEST_MENTION_WORDS = 4;

const wordsOf = (text: string): string[] => plainOf(text.normalize('NFKC')).match(/[\p{L}\p{N}]+/gu) ?? [];
const quote = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

interface Candidate {
  readonly place: NamedPlace;
  readonly words: readonly string[];
}

const candidatesOf = (places: readonly NamedPlace[]): Candidate[] =>
  places.map((place) => ({ place, words: wordsOf(place.name) })).filter(({ words }) => words.length > 0);

/** Places that the query names in full. Each entry is one mention: any of its places is meant. */
export function readWholeNames(text: QueryText, places: readonly NamedPlace[]): NamedPlace[][] {
  const byName = new Map<string, Candidate[]>();
  for (const candidate of candidatesOf(places)) {
    const name = candidate.words.join(' ');
    byName.set(name, [...(byName.get(name) ?? []), candidate]);
  }
  const longestFirst = [...byName.values()].toSorted((a, b) => lengthOf(b[0]!) - lengthOf(a[0]!));
  const mentions: NamedPlace[][] = [];
  for (const candidates of longestFirst) {
    const { words } = candidates[0]!;
    // Cheap, before a pattern is made: most names are not in the query.
    if (!text.plain.includes(words[0]!)) continue;
    const name = words.map(quote).join('[^\\p{L}\\p{N}]*');
    // A single word may be a word like any other ("queue"): it must stand where a place stands.
    const isCommon = words.length === 1 && !/\p{N}/u.test(words[0]!);
    const prefix = `(?:${AT})\\s(?:(?:${ARTICLE})\\s?)?`;
    const pattern = phrase(isCommon ? `${prefix}${name}` : `(?:${prefix})?${name}`);
    if (text.take(pattern)) mentions.push(candidates.map(({ place }) => place));
  }
  return mentions;
}

const lengthOf = ({ words }: Candidate): number => words.join('').length;

const MENTION = new RegExp(
  phrase(
    `(?:${AT}) (?:(?:${ARTICLE}) ?)?(?<mention>[\\p{L}\\p{N}]+(?: [\\p{L}\\p{N}]+){0,${LONGEST_MENTION_WORDS - 1}})`,
  ).source,
  'gu',
);

/** Places of whose names the query has some words after a preposition: "at the entrance". */
export function readPartialNames(text: QueryText, places: readonly NamedPlace[]): NamedPlace[][] {
  const named = candidatesOf(places);
  const mentions: NamedPlace[][] = [];
  for (const match of text.plain.matchAll(MENTION)) {
    const words = match.groups!.mention!.split(' ');
    for (let count = words.length; count > 0; count -= 1) {
      const wanted = words.slice(0, count);
      if (!isTelling(wanted)) continue;
      const found = named.filter(({ words: of }) => contains(of, wanted));
      if (found.length === 0) continue;
      const before = match[0].length - match.groups!.mention!.length;
      text.cut(match.index, before + wanted.join(' ').length);
      mentions.push(found.map(({ place }) => place));
      break;
    }
  }
  return mentions;
}

/** Not only little words, and nothing that is part of nearly every name. */
const isTelling = (words: readonly string[]): boolean =>
  words.some((word) => word.length >= 3 && !isStopWord(word) && !/^\p{N}+$/u.test(word));

const contains = (all: readonly string[], some: readonly string[]): boolean =>
  all.some((_, at) => some.every((word, n) => all[at + n] === word));

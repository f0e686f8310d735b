import { DateTime } from 'luxon';
import {
  conditionsOf,
  describeExclusion,
  describeFilter,
  type Filter,
  type NamedPlace,
  opposite,
  type ParsedQuery,
} from '../filters.ts';
import { readDenials } from './denials.ts';
import { readWords } from './keywords.ts';
import { queryLanguage } from './language.ts';
import { readLevels } from './levels.ts';
import { readNames } from './names.ts';
import { readNobody, readQuantities } from './quantities.ts';
import { type Phrase, Sentence } from './sentence.ts';
import { readWhen } from './when.ts';

export interface ParseContext {
  readonly now: Date;
  /** IANA name. */
  readonly timezone: string;
  /** Whether the zone of the places that the query names is taken instead. */
  readonly followsPlaces?: boolean;
  /** BCP 47 language of the user: of queries whose words do not tell theirs, and of dates in digits. */
  readonly locale?: string | null;
  /** The user’s devices and scenes. */
  readonly places: readonly NamedPlace[];
}

/**
 * Understands a query by rules. Each token belongs to at most one phrase, so the order of the readers matters: a name
 * may contain a number, a number of minutes is no time of day, and the remaining words are searched.
 */
export function parseQuery(query: string, context: ParseContext): ParsedQuery {
  const { now, places, timezone, followsPlaces } = context;
  const language = queryLanguage(query, context);
  const sentence = new Sentence(query, language);
  readNames(sentence, places);
  const named = sentence.phrases.flatMap(({ filter }) => (filter.kind === 'place' ? filter.places : []));
  readQuantities(sentence, { withUnits: true });
  readWhen(sentence, {
    now: DateTime.fromJSDate(now, { zone: (followsPlaces && onlyZone(named)) || timezone }),
    monthFirst: query.includes('/') && isMonthFirst(context.locale ?? language),
  });
  readLevels(sentence);
  readQuantities(sentence, { withUnits: false });
  readNobody(sentence);
  readWords(sentence);
  return gather(sentence);
}

/** The zone of all places that have one; null where they differ. */
export function onlyZone(places: readonly NamedPlace[]): string | null {
  const [zone = null, ...others] = new Set(places.flatMap(({ timezone }) => timezone ?? []));
  return others.length === 0 ? zone : null;
}

/** Whether 3/12 is the 12th of March: as the user's language writes dates. */
function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale === 'other' ? 'de' : locale).formatToParts();
  return parts.find(({ type }) => type === 'month' || type === 'day')?.type === 'month';
}

function gather(sentence: Sentence): ParsedQuery {
  const understood: { at: number; text: string; filter: string }[] = [];
  const included: Filter[] = [];
  const excluded: Filter[][] = [];
  const denied = readDenials(sentence);
  const tell = (tokens: readonly number[], filter: string) => {
    understood.push({ at: Math.min(...tokens), text: sentence.textOf(tokens), filter });
  };
  const include = (tokens: readonly number[], filter: Filter) => {
    included.push(filter);
    tell(tokens, describeFilter(filter));
  };
  for (const { phrases, marker } of denied) {
    const tokens = [...marker, ...phrases.flatMap((phrase) => phrase.tokens)];
    const filters = phrases.map(({ filter }) => filter);
    const quantity = filters.find((filter) => filter.kind === 'quantity');
    // A denied number becomes the opposite bound where there is one.
    const bounds = quantity && filters.length === 1 ? opposite(quantity.bounds) : null;
    if (quantity && bounds) include(tokens, { ...quantity, bounds });
    else if (quantity) sentence.take(tokens, 'unused');
    else {
      excluded.push(filters);
      tell(tokens, describeExclusion(filters));
    }
  }
  const isDenied = new Set<Phrase>(denied.flatMap(({ phrases }) => phrases));
  for (const phrase of sentence.phrases) if (!isDenied.has(phrase)) include(phrase.tokens, phrase.filter);
  return {
    ...conditionsOf(included),
    excluded: excluded.map(conditionsOf),
    understood: understood.sort((a, b) => a.at - b.at).map(({ text, filter }) => ({ text, filter })),
    unusedWords: sentence.unusedWords,
  };
}

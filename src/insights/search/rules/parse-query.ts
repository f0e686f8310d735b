import { DateTime } from 'luxon';
import type { Severity } from '../../../platform/prisma-client/client.ts';
import { describeFilter } from '../describe-filter.ts';
import {
  type Bounds,
  type Conditions,
  earlier,
  type Filter,
  type Keyword,
  later,
  type Measure,
  type NamedPlace,
  narrower,
  opposite,
  type ParsedQuery,
  type Understood,
} from '../filters.ts';
import { readDenials } from './denials.ts';
import { readWords } from './keywords.ts';
import { queryLanguage } from './language.ts';
import { readLevels } from './levels.ts';
import { readNames } from './names.ts';
import { readNobody } from './nobody.ts';
import { readQuantitiesWithoutUnits, readQuantitiesWithUnits } from './quantities.ts';
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
  const { now, places } = context;
  const language = queryLanguage(query, context);
  const sentence = new Sentence(query, language);
  readNames(sentence, places);
  readQuantitiesWithUnits(sentence);
  const local = DateTime.fromJSDate(now, { zone: zoneOf(sentence, context) });
  readWhen(sentence, {
    now: local,
    monthFirst: query.includes('/') && isMonthFirst(context.locale ?? language),
  });
  readLevels(sentence);
  readQuantitiesWithoutUnits(sentence);
  readNobody(sentence);
  readWords(sentence);
  return gather(sentence);
}

/** The zone of all places that have one; null where they differ. */
export function onlyZone(places: readonly NamedPlace[]): string | null {
  const zones = new Set(places.flatMap(({ timezone }) => timezone ?? []));
  return zones.size === 1 ? [...zones][0]! : null;
}

function zoneOf({ phrases }: Sentence, { timezone, followsPlaces }: ParseContext): string {
  const named = phrases.flatMap(({ filter }) => (filter.kind === 'place' ? filter.places : []));
  return (followsPlaces && onlyZone(named)) || timezone;
}

/** Whether 3/12 is the 12th of March: as the user's language writes dates. */
function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale === 'other' ? 'de' : locale).formatToParts();
  const at = (wanted: string) => parts.findIndex(({ type }) => type === wanted);
  return at('month') < at('day');
}

function gather(sentence: Sentence): ParsedQuery {
  const understood = new Map<number, Understood>();
  const included: Filter[] = [];
  const excluded: Conditions[] = [];
  const denied = readDenials(sentence);
  const tell = (tokens: readonly number[], filter: string) =>
    understood.set(Math.min(...tokens), { text: sentence.textOf(tokens.toSorted((a, b) => a - b)), filter });

  for (const { phrases, marker } of denied) {
    const tokens = [...marker, ...phrases.flatMap((phrase) => phrase.tokens)];
    const inverse = inverseOf(phrases);
    if (inverse === null) sentence.take(tokens, 'unused');
    else if (inverse) {
      included.push(inverse);
      tell(tokens, describeFilter(inverse));
    } else {
      const filters = phrases.map(({ filter }) => filter);
      excluded.push(conditionsOf(filters));
      tell(tokens, `not (${filters.map(describeFilter).join(', ')})`);
    }
  }
  const isDenied = new Set<Phrase>(denied.flatMap(({ phrases }) => phrases));
  for (const phrase of sentence.phrases) {
    if (isDenied.has(phrase)) continue;
    included.push(phrase.filter);
    tell(phrase.tokens, describeFilter(phrase.filter));
  }
  return {
    ...conditionsOf(included),
    quantities: quantitiesOf(included),
    excluded,
    understood: [...understood.entries()].sort(([a], [b]) => a - b).map(([, item]) => item),
    unusedWords: sentence.unusedWords,
  };
}

/** The opposite bound of a denied number; null where there is none, undefined where no number is denied. */
function inverseOf(phrases: readonly Phrase[]): Filter | null | undefined {
  const quantity = phrases.map(({ filter }) => filter).find((filter) => filter.kind === 'quantity');
  if (quantity?.kind !== 'quantity') return undefined;
  const bounds = phrases.length === 1 ? opposite(quantity.bounds) : null;
  return bounds && { ...quantity, bounds };
}

/** The conditions of all filters together. A query that names both severities means any. */
export function conditionsOf(filters: readonly Filter[]): Conditions {
  const severities = new Set<Severity>();
  const keywords = new Map<string, Keyword>();
  const places: (readonly NamedPlace[])[] = [];
  const riskLevel = new Set<Conditions['riskLevel'][number]>();
  let [startDate, endDate]: [Date?, Date?] = [];
  for (const filter of filters) {
    if (filter.kind === 'severity') severities.add(filter.severity);
    else if (filter.kind === 'risk') for (const level of filter.levels) riskLevel.add(level);
    else if (filter.kind === 'place') places.push(filter.places);
    else if (filter.kind === 'words')
      for (const keyword of filter.keywords) keywords.set(keyword.word, keyword);
    else if (filter.kind === 'dates') {
      startDate = later(startDate, filter.dates.start);
      endDate = earlier(endDate, filter.dates.end);
    }
  }
  const [severity, other] = severities;
  return {
    ...(severity && !other && { severity }),
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    riskLevel: [...riskLevel],
    places,
    keywords: [...keywords.values()],
  };
}

export function quantitiesOf(filters: readonly Filter[]): Partial<Record<Measure, Bounds>> {
  const quantities: Partial<Record<Measure, Bounds>> = {};
  for (const filter of filters) {
    if (filter.kind !== 'quantity') continue;
    const bounds = filter.measure === 'persons' ? ofWholePeople(filter.bounds) : filter.bounds;
    quantities[filter.measure] = narrower(quantities[filter.measure] ?? {}, bounds);
  }
  return quantities;
}

/** "More than 5" people are at least 6. */
function ofWholePeople({ moreThan, atLeast, lessThan, atMost }: Bounds): Bounds {
  const low = moreThan !== undefined ? Math.floor(moreThan) + 1 : atLeast;
  const high = lessThan !== undefined ? Math.ceil(lessThan) - 1 : atMost;
  return {
    ...(low !== undefined && { atLeast: Math.ceil(low) }),
    ...(high !== undefined && { atMost: Math.max(0, Math.floor(high)) }),
  };
}

import type { RiskLevel, Severity } from '../../platform/prisma-client/client.ts';

/** The numbers of an alert that a query can compare, and what they are called. */
export const MEASURES = {
  persons: 'people in the picture',
  queueLength: 'people in the queue',
  waitSeconds: 'wait in seconds',
  serviceSeconds: 'service in seconds',
} as const;
export type Measure = keyof typeof MEASURES;

/** Each bound with its signs in SQL and in texts, the bound of its denial, and the narrower of two. */
export const BOUNDS = {
  moreThan: { sql: '>', sign: '>', opposite: 'atMost', narrower: Math.max },
  atLeast: { sql: '>=', sign: '≥', opposite: 'lessThan', narrower: Math.max },
  lessThan: { sql: '<', sign: '<', opposite: 'atLeast', narrower: Math.min },
  atMost: { sql: '<=', sign: '≤', opposite: 'moreThan', narrower: Math.min },
} as const;
export type Bound = keyof typeof BOUNDS;
/** Bounds of a number; all given bounds must hold. */
export type Bounds = { readonly [Name in Bound]?: number | undefined };

/** The given bounds, in the order of their table. */
export const boundsIn = (bounds: Bounds): [Bound, number][] =>
  (Object.keys(BOUNDS) as Bound[]).flatMap((name) => {
    const value = bounds[name];
    return value === undefined ? [] : [[name, value]];
  });

/** A device or scene that a query may name. */
export interface NamedPlace {
  readonly kind: 'device' | 'scene';
  readonly id: string;
  readonly name: string;
  /** Zone of its clock; null where nobody has set one. */
  readonly timezone?: string | null;
}

/** A word to find in the texts of insights. */
export interface Keyword {
  /** As written, or in English where the lexicon translates it. */
  readonly word: string;
  /** Beginnings of words, one of which must occur. A blank joins words that follow one another. */
  readonly forms: readonly string[];
}

/** `[start, end)`; a missing bound is open. */
export interface DateBounds {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

/** The filter of one phrase of a query. */
export type Filter =
  | { readonly kind: 'severity'; readonly severity: Severity }
  | { readonly kind: 'risk'; readonly levels: readonly RiskLevel[] }
  | { readonly kind: 'quantity'; readonly measure: Measure; readonly bounds: Bounds }
  | { readonly kind: 'dates'; readonly dates: DateBounds }
  | { readonly kind: 'place'; readonly places: readonly NamedPlace[] }
  | { readonly kind: 'words'; readonly keywords: readonly Keyword[] };

/** Conditions that must hold together; empty lists and absent fields set no condition. */
export interface Conditions {
  readonly severity?: Severity | undefined;
  /** One of these must hold; an empty list sets no condition. */
  readonly riskLevel: readonly RiskLevel[];
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  /** Each mention of a place, with the devices and scenes that it may mean. */
  readonly places: readonly (readonly NamedPlace[])[];
  readonly keywords: readonly Keyword[];
  readonly quantities: Readonly<Partial<Record<Measure, Bounds>>>;
}

/** An understood query. */
export interface ParsedQuery extends Conditions {
  /** Insights that fulfil all conditions of one entry are left out. */
  readonly excluded: readonly Conditions[];
  /** Filters and the words of the query that they come from; `text` is null where a model understood the query. */
  readonly understood: readonly { readonly text: string | null; readonly filter: string }[];
  /** Words that became no filter, as written. */
  readonly unusedWords: readonly string[];
}

/** The later of two times, or the only one given. */
export const later = (a?: Date, b?: Date) => (a && b ? (a > b ? a : b) : (a ?? b));
/** The earlier of two times, or the only one given. */
export const earlier = (a?: Date, b?: Date) => (a && b ? (a < b ? a : b) : (a ?? b));

/** The opposite of a single bound; null for several bounds. */
export function opposite(bounds: Bounds): Bounds | null {
  const [[name, value] = [], other] = boundsIn(bounds);
  return name && !other ? { [BOUNDS[name].opposite]: value } : null;
}

/** The narrowest bounds that meet both. "More than 5" people are at least 6. */
function narrower(measure: Measure, known: Bounds, more: Bounds): Bounds {
  const bounds: { [Name in Bound]?: number | undefined } = { ...known };
  for (const [said, value] of boundsIn(more)) {
    const isLow = said === 'moreThan' || said === 'atLeast';
    const name = measure !== 'persons' ? said : isLow ? 'atLeast' : 'atMost';
    const whole = isLow ? Math.ceil(value) : Math.max(0, Math.floor(value));
    const past = said === 'moreThan' ? Math.floor(value) + 1 : Math.max(0, Math.ceil(value) - 1);
    const bound = measure !== 'persons' ? value : said === name ? whole : past;
    bounds[name] = BOUNDS[name].narrower(bound, bounds[name] ?? bound);
  }
  return bounds;
}

/** The conditions of all filters together. A query that names both severities means any. */
export function conditionsOf(filters: readonly Filter[]): Conditions {
  const of = <Kind extends Filter['kind']>(kind: Kind) =>
    filters.filter((filter): filter is Extract<Filter, { kind: Kind }> => filter.kind === kind);
  const [severity, other] = new Set(of('severity').map((filter) => filter.severity));
  const dates = of('dates').map((filter) => filter.dates);
  const startDate = dates.map(({ start }) => start).reduce(later, undefined);
  const endDate = dates.map(({ end }) => end).reduce(earlier, undefined);
  const keywords = of('words').flatMap((filter) => filter.keywords);
  const quantities: Partial<Record<Measure, Bounds>> = {};
  for (const { measure, bounds } of of('quantity'))
    quantities[measure] = narrower(measure, quantities[measure] ?? {}, bounds);
  return {
    ...(severity && !other && { severity }),
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    riskLevel: [...new Set(of('risk').flatMap(({ levels }) => levels))],
    places: of('place').map(({ places }) => places),
    keywords: [...new Map(keywords.map((keyword) => [keyword.word, keyword])).values()],
    quantities,
  };
}

/** The filters of a query or of one of its exclusions. */
export function filtersOf({ severity, riskLevel, startDate, endDate, ...rest }: Conditions): Filter[] {
  const { places, keywords, quantities } = rest;
  return [
    ...(severity ? [{ kind: 'severity' as const, severity }] : []),
    ...(riskLevel.length > 0 ? [{ kind: 'risk' as const, levels: riskLevel }] : []),
    ...(startDate || endDate ? [{ kind: 'dates' as const, dates: { start: startDate, end: endDate } }] : []),
    ...places.map((named) => ({ kind: 'place' as const, places: named })),
    ...(keywords.length > 0 ? [{ kind: 'words' as const, keywords }] : []),
    ...(Object.entries(quantities) as [Measure, Bounds][]).map(([measure, bounds]) => ({
      ...{ kind: 'quantity' as const, measure, bounds },
    })),
  ];
}

const namesOf = (places: readonly NamedPlace[], kind: NamedPlace['kind']): string => {
  const names = new Set(places.flatMap((place) => (place.kind === kind ? [place.name] : [])));
  return names.size > 0 ? `${kind} ${[...names].join(' or ')}` : '';
};

/** One filter in a few words: "severity critical", "wait in seconds > 300", "device Till 3". */
export function describeFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'severity':
      return `severity ${filter.severity}`;
    case 'risk':
      return `risk ${filter.levels.join(' or ')}`;
    case 'quantity': {
      const bounds = boundsIn(filter.bounds).map(([name, value]) => `${BOUNDS[name].sign} ${value}`);
      return `${MEASURES[filter.measure]} ${bounds.join(' and ')}`;
    }
    case 'dates': {
      const { start, end } = filter.dates;
      const bounds = [start && `from ${start.toISOString()}`, end && `before ${end.toISOString()}`];
      return ['time', ...bounds].filter(Boolean).join(' ');
    }
    case 'place':
      return [namesOf(filter.places, 'device'), namesOf(filter.places, 'scene')].filter(Boolean).join(' or ');
    case 'words':
      return `words ${filter.keywords.map(({ word }) => word).join(' and ')}`;
  }
}

/** The filters of an exclusion in a few words. */
export const describeExclusion = (filters: readonly Filter[]): string =>
  `not (${filters.map(describeFilter).join(', ')})`;

import { readFileSync } from 'node:fs';
import { DateTime } from 'luxon';
import {
  BOUNDS,
  type Bound,
  boundsIn,
  type Conditions,
  type NamedPlace,
} from '../../../src/insights/search/filters.ts';
import { parseQuery } from '../../../src/insights/search/rules/parse-query.ts';

/** A Wednesday: 14:30 in London, 15:30 in Berlin. */
export const NOW = new Date('2026-11-18T14:30:00Z');

/** How a query is asked. */
export interface Asked {
  readonly places: readonly NamedPlace[];
  readonly locale?: string | null;
  readonly zone?: string;
  readonly now?: Date;
  /** Whether the words that became no filter are told too. */
  readonly tellsUnused?: boolean;
}

// Three tables, each with a line of titles: where people ask, what they ask and mean, and what the searches of a shop find.
const [shops, asked, found] = readFileSync(new URL('questions.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n\n')
  .map((table) => table.split('\n').slice(1)) // biome-ignore format: one line
  .map((lines) => lines.map((line) => line.split('\t')));

const placesOf = (kind: NamedPlace['kind'], names = ''): NamedPlace[] =>
  names.split(', ').flatMap((name) => (name ? [{ kind, id: name, name }] : []));
const SHOPS = new Map(
  shops!.map(([shop, zone, now, unused, devices, scenes]): [string, Asked] => [
    shop!,
    {
      ...{ zone: zone!, now: new Date(now!), tellsUnused: unused === 'yes' },
      places: [...placesOf('device', devices), ...placesOf('scene', scenes)],
    },
  ]),
);

/** Questions with the filters that they mean. */
export const QUESTIONS = asked!.map(([shop, language, query, meant]) => ({
  query: query!,
  asked: { ...SHOPS.get(shop!)!, locale: language === '-' ? null : language! },
  meant: meant === 'nothing' ? [] : meant!.split('; ').sort(),
}));
/** Queries with the alerts of `searched-shop.ts` that they find. */
export const FOUND = found!.map(([query, names]) => [query!, names?.split(' ') ?? []] as const);
/** Names that are also words. */
export const { places: PLACES } = SHOPS.get('rules')!;

/** The filters of a query in short texts, sorted. */
export function told(
  query: string,
  { places, locale = null, zone = 'UTC', now = NOW, tellsUnused }: Asked,
): string[] {
  const parsed = parseQuery(query, { now, timezone: zone, locale, places });
  const unused = tellsUnused && parsed.unusedWords.length > 0;
  return [
    ...conditions(parsed, zone),
    ...parsed.excluded.map((one) => `not (${conditions(one, zone).join(' & ')})`),
    ...(unused ? [`unused ${parsed.unusedWords.join(' ')}`] : []),
  ].sort();
}

/** Midnights as `2026-11-17`, other times as `2026-11-17T18:00`. */
const time = (at: Date, zone: string) =>
  DateTime.fromJSDate(at, { zone }).toFormat("yyyy-LL-dd'T'HH:mm").replace('T00:00', '');
const SHORT: Record<string, string> = {
  queueLength: 'queue',
  waitSeconds: 'wait',
  serviceSeconds: 'service',
};

const conditions = (said: Conditions, zone: string): string[] => [
  ...(said.startDate ? [`from ${time(said.startDate, zone)}`] : []),
  ...(said.endDate ? [`to ${time(said.endDate, zone)}`] : []),
  ...(said.severity ? [said.severity] : []),
  ...(said.riskLevel.length > 0 ? [`risk ${said.riskLevel.join(',')}`] : []),
  ...said.places.map((place) => `at ${place.map(({ name }) => name).join(' | ')}`),
  ...(said.keywords.length > 0 ? [`words ${said.keywords.map(({ word }) => word).join(' ')}`] : []),
  ...Object.entries(said.quantities).map(([measure, bounds]) => {
    const signs = boundsIn(bounds).map(([name, value]: [Bound, number]) => `${BOUNDS[name].sql}${value}`);
    return `${SHORT[measure] ?? measure} ${signs.join(' ')}`;
  }),
];

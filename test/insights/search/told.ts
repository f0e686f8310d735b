import { DateTime } from 'luxon';
import type { Bounds, Conditions, NamedPlace } from '../../../src/insights/search/filters.ts';
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

/** Devices and scenes with these names. */
export const placesOf = (devices: readonly string[], scenes: readonly string[]): NamedPlace[] =>
  [devices, scenes].flatMap((names, at) =>
    names.map((name) => ({ kind: at === 0 ? ('device' as const) : ('scene' as const), id: name, name })),
  );

/** Names that are also words. */
export const PLACES = placesOf(
  ['Main Entrance', 'Till 3', 'Kasse 7', 'Bäckerei Süd'],
  ['Queue', 'Checkout area', 'Queue at the main entrance'],
);

const SIGNS = { moreThan: '>', atLeast: '>=', lessThan: '<', atMost: '<=' } as const;

/** The filters of a query in short texts, sorted. */
export function told(
  query: string,
  { places, locale = null, zone = 'UTC', now = NOW, tellsUnused = false }: Asked,
): string[] {
  const parsed = parseQuery(query, { now, timezone: zone, locale, places });
  const { persons, queueLength, waitSeconds, serviceSeconds } = parsed.quantities;
  const unused = tellsUnused && parsed.unusedWords.length > 0;
  return [
    ...conditions(parsed, zone),
    ...bounds('persons', persons),
    ...bounds('queue', queueLength),
    ...bounds('wait', waitSeconds),
    ...bounds('service', serviceSeconds),
    ...parsed.excluded.map((one) => `not (${conditions(one, zone).join(' & ')})`),
    ...(unused ? [`unused ${parsed.unusedWords.join(' ')}`] : []),
  ].sort();
}

/** Midnights as `2026-11-17`, other times as `2026-11-17T18:00`. */
const time = (at: Date, zone: string) =>
  DateTime.fromJSDate(at, { zone }).toFormat("yyyy-LL-dd'T'HH:mm").replace('T00:00', '');

const conditions = (
  { startDate, endDate, severity, riskLevel, places, keywords }: Conditions,
  zone: string,
): string[] => [
  ...(startDate ? [`from ${time(startDate, zone)}`] : []),
  ...(endDate ? [`to ${time(endDate, zone)}`] : []),
  ...(severity ? [severity] : []),
  ...(riskLevel.length > 0 ? [`risk ${riskLevel.join(',')}`] : []),
  ...places.map((place) => `at ${place.map(({ name }) => name).join(' | ')}`),
  ...(keywords.length > 0 ? [`words ${keywords.map(({ word }) => word).join(' ')}`] : []),
];

const bounds = (name: string, given: Bounds | undefined): string[] => {
  const said = (Object.keys(SIGNS) as (keyof typeof SIGNS)[]).flatMap((key) =>
    given?.[key] === undefined ? [] : [`${SIGNS[key]}${given[key]}`],
  );
  return said.length > 0 ? [`${name} ${said.join(' ')}`] : [];
};

import { DateTime } from 'luxon';
import type { Bounds, Conditions, NamedPlace } from '../../../src/insights/search/filters.ts';
import { parseQuery } from '../../../src/insights/search/read/parse-query.ts';

const ZONE = 'Europe/Berlin';
/** A Wednesday, 15:30 at the shop. */
const NOW = new Date('2026-11-18T14:30:00Z');

/** Devices and scenes with these names. */
export const placesOf = (devices: readonly string[], scenes: readonly string[]): NamedPlace[] => [
  ...devices.map((name) => ({ kind: 'device' as const, id: name, name })),
  ...scenes.map((name) => ({ kind: 'scene' as const, id: name, name })),
];

const SIGNS = { moreThan: '>', atLeast: '>=', lessThan: '<', atMost: '<=' } as const;

/** The filters of a query in short texts, sorted. */
export function told(query: string, locale: string, places: readonly NamedPlace[]): string[] {
  const parsed = parseQuery(query, { now: NOW, timezone: ZONE, locale, places });
  const { persons, queueLength, waitSeconds, serviceSeconds } = parsed.quantities;
  return [
    ...conditions(parsed),
    ...bounds('persons', persons),
    ...bounds('queue', queueLength),
    ...bounds('wait', waitSeconds),
    ...bounds('service', serviceSeconds),
    ...parsed.excluded.map((one) => `not (${conditions(one).join(' & ')})`),
  ].sort();
}

const time = (at: Date) =>
  DateTime.fromJSDate(at, { zone: ZONE }).toFormat("yyyy-LL-dd'T'HH:mm").replace('T00:00', '');

const conditions = ({ startDate, endDate, severity, riskLevel, places, keywords }: Conditions): string[] => [
  ...(startDate ? [`from ${time(startDate)}`] : []),
  ...(endDate ? [`to ${time(endDate)}`] : []),
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

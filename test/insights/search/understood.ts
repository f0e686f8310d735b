import type { Bounds, Conditions, NamedPlace } from '../../../src/insights/search/filters.ts';
import { parseQuery } from '../../../src/insights/search/read/parse-query.ts';

/** A Wednesday afternoon. */
export const NOW = new Date('2026-11-18T14:30:00Z');
export const PLACES: readonly NamedPlace[] = [
  { kind: 'device', id: 'entrance', name: 'Main Entrance' },
  { kind: 'device', id: 'till3', name: 'Till 3' },
  { kind: 'device', id: 'kasse7', name: 'Kasse 7' },
  { kind: 'device', id: 'bäckerei', name: 'Bäckerei Süd' },
  { kind: 'scene', id: 'queue', name: 'Queue' },
  { kind: 'scene', id: 'checkout', name: 'Checkout area' },
  { kind: 'scene', id: 'entrance-queue', name: 'Queue at the main entrance' },
];

/** The understood query in short texts. */
export interface Understood {
  from?: string;
  to?: string;
  severity?: string;
  risk?: string[];
  persons?: Bounds;
  queue?: Bounds;
  wait?: Bounds;
  service?: Bounds;
  places?: string[];
  words?: string[];
  not?: Understood[];
  unused?: string[];
}

/** The fields of a parsed query that are set; midnights as `2026-11-17`, other times as `2026-11-17T18:00`. */
const brief = (time: Date) =>
  time
    .toISOString()
    .replace(/:00\.000Z$/, '')
    .replace(/T00:00$/, '');

const said = (found: Conditions): Understood => ({
  ...(found.startDate && { from: brief(found.startDate) }),
  ...(found.endDate && { to: brief(found.endDate) }),
  ...(found.severity && { severity: found.severity }),
  ...(found.riskLevel.length > 0 && { risk: [...found.riskLevel] }),
  ...(found.places.length > 0 && { places: found.places.map((p) => p.map(({ id }) => id).join('|')) }),
  ...(found.keywords.length > 0 && { words: found.keywords.map(({ word }) => word) }),
});

export function understand(query: string, timezone = 'UTC', now = NOW): Understood {
  const parsed = parseQuery(query, { now, timezone, places: PLACES });
  const { persons, queueLength, waitSeconds, serviceSeconds } = parsed.quantities;
  return {
    ...said(parsed),
    ...(persons && { persons: defined(persons) }),
    ...(queueLength && { queue: defined(queueLength) }),
    ...(waitSeconds && { wait: defined(waitSeconds) }),
    ...(serviceSeconds && { service: defined(serviceSeconds) }),
    ...(parsed.excluded.length > 0 && { not: parsed.excluded.map(said) }),
    ...(parsed.unusedWords.length > 0 && { unused: [...parsed.unusedWords] }),
  };
}

const defined = (bounds: Bounds): Bounds => JSON.parse(JSON.stringify(bounds)) as Bounds;

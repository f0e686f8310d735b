import { editDistance } from './edit-distance.ts';

/** Words of other services for our names; compared without case and punctuation. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  startDate: ['from', 'since', 'after', 'start', 'begin', 'startTime', 'fromDate'],
  endDate: ['to', 'until', 'before', 'end', 'endTime', 'toDate'],
  from: ['startDate', 'since', 'after', 'start', 'begin', 'startTime', 'fromDate'],
  to: ['endDate', 'until', 'before', 'end', 'endTime', 'toDate'],
  timezone: ['tz', 'zone', 'timeZoneName'],
  bucket: ['granularity', 'interval', 'resolution', 'groupBy', 'step', 'period'],
  '1m': ['minute', '1min', '60s', 'PT1M'],
  '30m': ['halfHour', '0.5h'],
  '1h': ['hour', '1hour', 'hourly', '60m', '60min', 'PT1H'],
  '1d': ['day', '1day', 'daily', '24h', 'P1D'],
  '1w': ['week', '1week', 'weekly', '7d', 'P1W'],
  '1mo': ['month', 'monthly', '1M', '30d', '1month', 'P1M'],
  limit: ['size', 'pageSize', 'perPage', 'count', 'take', 'top'],
  page: ['offset', 'skip', 'cursor', 'pageNumber'],
  q: ['query', 'search', 'filter', 'text', 'keyword'],
  sortBy: ['orderBy', 'sortField'],
  sortOrder: ['order', 'direction', 'sortDirection'],
  granularity: ['groupBy', 'interval', 'resolution'],
  groupBy: ['granularity', 'interval', 'resolution'],
  billingPeriod: ['month', 'period'],
  period: ['month', 'billingPeriod'],
  queueZone: ['queue', 'line', 'waitingZone'],
  GT: ['>'],
  GTE: ['>=', '≥'],
  LT: ['<'],
  LTE: ['<=', '≤'],
  EQ: ['=', '=='],
  NEQ: ['!=', '<>', '≠'],
};

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** How many steps of the edit distance two words may differ. */
const mostSteps = (a: string, b: string): number => Math.max(1, Math.floor(Math.min(a.length, b.length) / 3));

/**
 * The known name that the caller most likely meant.
 * @param given as sent, of any length
 * @returns undefined if no known name is similar
 */
export function closest(given: string, known: readonly string[]): string | undefined {
  const sign = known.find((name) => OTHER_WORDS[name]?.includes(given));
  if (sign !== undefined) return sign;
  const word = plain(given.slice(0, 100));
  if (word === '') return undefined;
  const same = known.find((name) => plain(name) === word);
  if (same !== undefined) return same;
  const meant = known.find((name) => OTHER_WORDS[name]?.some((other) => plain(other) === word));
  if (meant !== undefined) return meant;
  const best = similarNames(given, known, mostSteps)[0];
  if (best && best.steps <= best.most) return best.name;
  if (word.length < 2) return undefined;
  const longer = known.filter((name) => plain(name).startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}

export interface SimilarName {
  readonly name: string;
  /** Edit distance to the given name, and how large it may be. */
  readonly steps: number;
  readonly most: number;
}

/**
 * The known names whose length is near that of a given name, the most similar first. Case and punctuation do not count.
 * @param given of any length; its first 100 characters count
 * @param mostOf how many steps of the edit distance two names may differ, in letters without punctuation
 */
export function similarNames(
  given: string,
  known: readonly string[],
  mostOf: (given: string, known: string) => number,
): SimilarName[] {
  const word = plain(given.slice(0, 100));
  return (
    known
      .map((name) => ({ name, letters: plain(name) }))
      .map(({ name, letters }) => ({ name, letters, most: mostOf(word, letters) }))
      // Each letter more or less is a step: most names need no comparison.
      .filter(({ letters, most }) => Math.abs(letters.length - word.length) <= most)
      .map(({ name, letters, most }) => ({ name, most, steps: editDistance(word, letters) }))
      .sort((a, b) => a.steps - b.steps)
  );
}

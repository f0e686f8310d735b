/** Words that other services use for what this one calls differently; compared without capitals and signs. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  startDate: ['from', 'since', 'after', 'start', 'begin', 'startTime', 'fromDate'],
  endDate: ['to', 'until', 'before', 'end', 'endTime', 'toDate'],
  limit: ['size', 'pageSize', 'perPage', 'count', 'take', 'top'],
  page: ['offset', 'skip', 'cursor', 'pageNumber'],
  q: ['query', 'search', 'filter', 'text', 'keyword'],
  sortBy: ['orderBy', 'sortField'],
  sortOrder: ['order', 'direction', 'sortDirection'],
  granularity: ['groupBy', 'interval', 'resolution'],
  groupBy: ['granularity', 'interval', 'resolution'],
  billingPeriod: ['month', 'period'],
  period: ['month', 'billingPeriod'],
  GT: ['>'],
  GTE: ['>=', '≥'],
  LT: ['<'],
  LTE: ['<=', '≤'],
  EQ: ['=', '=='],
  NEQ: ['!=', '<>', '≠'],
};

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * The known word that somebody most likely meant.
 * @param given as sent, of any length
 * @returns undefined where no known word is near
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
  const ranked = known
    .map((name) => ({ name, steps: editDistance(word, plain(name)) }))
    .sort((a, b) => a.steps - b.steps);
  const best = ranked[0];
  if (best && best.steps <= Math.max(1, Math.floor(Math.min(word.length, plain(best.name).length) / 3)))
    return best.name;
  if (word.length < 2) return undefined;
  const longer = known.filter((name) => plain(name).startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Letters to insert, leave out, replace or swap with their neighbour to make one word of the other. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : replaced;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

import { describe, expect, test } from '@jest/globals';
import { neededTimeSums } from '../../src/analytics/history/time-columns.store.ts';
import { IN_REPORTS, TOTAL } from '../../src/catalogue/metrics/all.ts';
import { COUNT_NAMES, neededSums, TILL_SUM_NAMES, TIME_SUM_NAMES } from '../../src/catalogue/metrics/sums.ts';
import { isMetricPath, METRIC_CATALOGUE, readMetric } from '../../src/metrics/catalogue.ts';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';
import { NO_VISITS } from '../../src/metrics/sums.ts';
import { noTotals, totalSums } from '../../src/metrics/totals.ts';
import { Prisma } from '../../src/platform/prisma-client/client.ts';

const SQUARE = {
  type: 'polygon' as const,
  points: [
    [0, 0],
    [1, 0],
    [1, 1],
  ] as [number, number][],
};
const metrics = new QueueMetrics({ zones: { queueZone: SQUARE, checkoutZone: SQUARE } }).at(0);

function leaves(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, at === '' ? key : `${at}.${key}`));
}

describe('the catalogue', () => {
  test('the catalogue names exactly the numbers of the metrics object, in their order', () => {
    // The reason why a wait is not known is no number.
    const numbers = leaves(metrics, '').filter((path) => path !== 'current.estimatedWaitReason');
    expect(METRIC_CATALOGUE.map(({ path }) => path)).toEqual(numbers);
  });

  test('every path of the catalogue can be read', () => {
    for (const { path, type, unit, zones } of METRIC_CATALOGUE) {
      const value = readMetric(metrics, path);
      if (zones.includes('tills')) expect([path, value]).toEqual([path, null]);
      else if (type === 'integer' && !path.endsWith('maxInQueue')) expect([path, value]).toEqual([path, 0]);
      else if (unit !== 'percent') expect([path, value]).toEqual([path, null]);
    }
  });

  test('the group of a metric is the first word of its path', () => {
    for (const { path, group } of METRIC_CATALOGUE) expect(path.startsWith(group)).toBe(true);
    expect(METRIC_CATALOGUE).toHaveLength(13 + 4 * 35 + 23);
  });

  test.each([
    'current',
    'rolling5Min.completed',
    'rolling10Min.arrivals',
    'total.avgInQueue',
    'current.inQueue.x',
    '__proto__',
    '',
  ])('%p is no metric path', (path) => {
    expect(isMetricPath(path)).toBe(false);
    expect(() => readMetric(metrics, path)).toThrow(/no metric/);
  });
});

describe('the sums of the catalogue', () => {
  const columns = (table: object) => Object.keys(table);

  test('each sum over time is a column of the minutes and of their quarters of an hour', () => {
    for (const table of [Prisma.OccupancyMinuteScalarFieldEnum, Prisma.OccupancyQuarterScalarFieldEnum])
      expect(columns(table)).toEqual(expect.arrayContaining([...TIME_SUM_NAMES]));
  });

  test('each sum since the start is a column of the totals, and all metrics since the start are made of them', () => {
    expect(columns(Prisma.SceneTotalsScalarFieldEnum)).toEqual(
      expect.arrayContaining(Object.keys(noTotals())),
    );
    const kept = Object.keys(totalSums(noTotals()));
    expect(kept).toEqual(expect.arrayContaining([...neededSums(TOTAL), ...COUNT_NAMES]));
    const ofTills = TILL_SUM_NAMES.flatMap((name) => [name, `${name}Mean`]);
    expect([...Object.keys(NO_VISITS), ...ofTills].sort()).toEqual(kept.sort());
  });

  test('reports need no largest numbers, which their statements do not read', () => {
    expect(neededTimeSums(IN_REPORTS).most).toEqual([]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { isMetricPath, METRIC_CATALOGUE, readMetric } from '../../src/metrics/catalogue.ts';
import { QueueMetrics } from '../../src/metrics/queue-metrics.ts';

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
  test('names exactly the numbers there are, in their order', () => {
    expect(METRIC_CATALOGUE.map(({ path }) => path)).toEqual(leaves(metrics, ''));
  });

  test('reads each of them', () => {
    for (const { path, type, unit } of METRIC_CATALOGUE) {
      const value = readMetric(metrics, path);
      if (type === 'integer' && !path.endsWith('maxInQueue')) expect([path, value]).toEqual([path, 0]);
      else if (unit !== 'percent') expect([path, value]).toEqual([path, null]);
    }
  });

  test('groups by the first word', () => {
    for (const { path, group } of METRIC_CATALOGUE) expect(path.startsWith(group)).toBe(true);
    expect(METRIC_CATALOGUE).toHaveLength(8 + 4 * 23 + 17);
  });

  test.each([
    'current',
    'rolling5Min.completed',
    'rolling10Min.arrivals',
    'total.avgInQueue',
    'current.inQueue.x',
    '__proto__',
    '',
  ])('knows no %p', (path) => {
    expect(isMetricPath(path)).toBe(false);
    expect(() => readMetric(metrics, path)).toThrow(/no metric/);
  });
});

import { describe, expect, test } from '@jest/globals';
import { addToHistogram, type Histogram, histogramPercentile } from '../../src/metrics/histogram.ts';
import { percentile } from '../../src/metrics/percentile.ts';
import { fc } from '../support/property.ts';

describe('exact percentiles', () => {
  test.each<[number[], number, number | null]>([
    [[], 0.5, null],
    [[7], 0.9, 7],
    [[1, 2], 0.5, 1.5],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9, 9.1],
    [[1, 2, 3], 1, 3],
  ])('the percentile of %j at %d is %p', (sorted, share, expected) => {
    expect(percentile(sorted, share)).toBe(expected);
  });
});

const seconds = fc.double({ min: 0, max: 20_000, noNaN: true });

/** The percentile of the totals and that of a window. */
function bothWays(values: readonly number[], share: number) {
  const histogram: Histogram = { counts: [], seconds: [] };
  for (const value of values) addToHistogram(histogram, value);
  const sorted = values.toSorted((a, b) => a - b);
  return {
    stored: histogramPercentile(histogram, share, sorted.at(-1) ?? null),
    exact: percentile(sorted, share),
  };
}

describe('the stored histogram', () => {
  test('the histogram gives the percentile of a window, at most 5 % off', () => {
    const values = fc.array(seconds, { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const { stored, exact } = bothWays(all, share);
        expect(Math.abs(stored! - exact!)).toBeLessThanOrEqual(Math.max(1, exact! * 0.05) + 0.001);
        expect(stored!).toBeLessThanOrEqual(Math.max(...all) + 0.001);
      }),
    );
  });

  test('the histogram is exact for one or two values', () => {
    const values = fc.array(fc.integer({ min: 0, max: 4_000_000 }), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(values, fc.constantFrom(0.1, 0.5, 0.9), (milliseconds, share) => {
        const { stored, exact } = bothWays(
          milliseconds.map((ms) => ms / 1000),
          share,
        );
        expect(stored!).toBeCloseTo(exact!, 2);
      }),
    );
  });

  test('the histogram is exact where each value has a bin of its own', () => {
    const values = [0.4, 3.2, 17.5, 54.6, 112.5, 271, 3_000];
    for (const share of [0, 0.25, 0.5, 0.9, 1]) {
      const { stored, exact } = bothWays(values, share);
      expect([share, stored]).toEqual([share, exact]);
    }
  });

  test('a higher share never gives a lower percentile', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 1, maxLength: 50 }), share, share, (values, a, b) => {
        const low = bothWays(values, Math.min(a, b)).stored!;
        expect(bothWays(values, Math.max(a, b)).stored!).toBeGreaterThanOrEqual(low - 0.001);
      }),
    );
  });

  test('the histogram stays small with any number of values', () => {
    const histogram: Histogram = { counts: [], seconds: [] };
    for (let i = 0; i < 1_000_000; i += 37) addToHistogram(histogram, i);
    expect(histogram.counts.length).toBeLessThan(240);
    expect(histogram.seconds).toHaveLength(histogram.counts.length);
    expect(bothWays([], 0.5).stored).toBeNull();
  });
});

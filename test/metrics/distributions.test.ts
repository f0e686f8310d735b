import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addToHistogram, histogramPercentile } from '../../src/metrics/histogram.ts';
import { percentile } from '../../src/metrics/percentile.ts';

describe('exact percentiles', () => {
  test.each<[number[], number, number | null]>([
    [[], 0.5, null],
    [[7], 0.9, 7],
    [[1, 2], 0.5, 1.5],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9, 9.1],
    [[1, 2, 3], 1, 3],
  ])('of %j at %d is %p', (sorted, share, expected) => {
    expect(percentile(sorted, share)).toBe(expected);
  });
});

describe('the stored histogram', () => {
  test('gives percentiles within a bin of the exact ones', () => {
    const values = fc.array(fc.double({ min: 0, max: 20_000, noNaN: true }), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.9), (seconds, share) => {
        const counts: number[] = [];
        for (const value of seconds) addToHistogram(counts, value);
        const sorted = seconds.toSorted((a, b) => a - b);
        const rank = Math.max(1, Math.ceil(share * sorted.length));
        const exact = sorted[rank - 1]!;
        const read = histogramPercentile(counts, share, sorted.at(-1)!)!;
        expect(Math.abs(read - exact)).toBeLessThanOrEqual(Math.max(1, exact * 0.05) + 0.001);
        expect(read).toBeLessThanOrEqual(sorted.at(-1)! + 0.001);
      }),
    );
  });

  test('stays small for ever', () => {
    const counts: number[] = [];
    for (let i = 0; i < 1_000_000; i += 37) addToHistogram(counts, i);
    expect(counts.length).toBeLessThan(240);
    expect(histogramPercentile([], 0.5, null)).toBeNull();
  });
});

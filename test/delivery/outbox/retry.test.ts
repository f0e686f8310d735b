import { describe, expect, test } from '@jest/globals';
import { retryDelaySeconds } from '../../../src/delivery/outbox/retry.ts';
import { seeded } from '../../support/rows/seeded.ts';

describe('the delays', () => {
  test('the delays are 5 s, 5 min, 30 min, 2 h, 5 h', () => {
    const delays = [1, 2, 3, 4, 5].map((attempt) => retryDelaySeconds(attempt, () => 0.5));
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000]);
  });

  test('the jitter changes a delay by at most 20 %', () => {
    const random = seeded(1);
    const delays = Array.from({ length: 1_000 }, () => retryDelaySeconds(2, random));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(240);
    expect(Math.min(...delays)).toBeLessThan(242);
    expect(Math.max(...delays)).toBeLessThanOrEqual(360);
    expect(Math.max(...delays)).toBeGreaterThan(358);
  });
});

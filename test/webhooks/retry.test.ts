import { describe, expect, test } from '@jest/globals';
import { retryAfterSeconds, retryDelaySeconds } from '../../src/webhooks/retry.ts';

const NOW = new Date('2026-01-31T08:00:00.000Z');

/** A small generator of its own seed (mulberry32), so that each run is the same. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the delays', () => {
  test('are 5 s, 5 min, 30 min, 2 h, 5 h', () => {
    const delays = [1, 2, 3, 4, 5].map((attempt) => retryDelaySeconds(attempt, () => 0.5));
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000]);
  });

  test('lie within 20 % of that, on both sides', () => {
    const random = seeded(1);
    const delays = Array.from({ length: 1_000 }, () => retryDelaySeconds(2, random));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(240);
    expect(Math.min(...delays)).toBeLessThan(242);
    expect(Math.max(...delays)).toBeLessThanOrEqual(360);
    expect(Math.max(...delays)).toBeGreaterThan(358);
  });

  test('of four attempts outlast 25 minutes, with each of 1,000 seeds', () => {
    for (let seed = 0; seed < 1_000; seed++) {
      const random = seeded(seed);
      const last = [1, 2, 3].reduce((sum, attempt) => sum + retryDelaySeconds(attempt, random), 0);
      expect(last).toBeGreaterThan(25 * 60);
    }
  });
});

test.each([
  [null, 0],
  ['', 0],
  ['30', 30],
  [' 30 ', 30],
  ['999999999999', 3600],
  ['-5', 0],
  ['1.5', 0],
  ['Sat, 31 Jan 2026 08:01:00 GMT', 60],
  ['Sat, 31 Jan 2026 07:00:00 GMT', 0],
  ['Sun, 01 Feb 2026 08:00:00 GMT', 3600],
  ['whenever', 0],
])('Retry-After %j is %i seconds', (text, seconds) => {
  expect(retryAfterSeconds(text, NOW)).toBe(seconds);
});

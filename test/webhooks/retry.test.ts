import { describe, expect, test } from '@jest/globals';
import { retryAfterSeconds, retryDelaySeconds } from '../../src/webhooks/retry.ts';
import { seeded } from '../support/rows/seeded.ts';

const NOW = new Date('2026-01-31T08:00:00.000Z');

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

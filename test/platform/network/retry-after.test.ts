import { expect, test } from '@jest/globals';
import { retryAfterSeconds } from '../../../src/platform/network/retry-after.ts';

const NOW = new Date('2026-01-31T08:00:00.000Z');

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

import { expect, test } from '@jest/globals';
import { columnsFor, untilNight } from '../../../src/page/wall/night.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['in the evening', new Date(2026, 10, 23, 22), 6 * HOUR_MS],
  ['in the morning', new Date(2026, 10, 23, 8), 20 * HOUR_MS],
  ['just after a nightly load', new Date(2026, 10, 23, 4, 0, 5), 24 * HOUR_MS - 5000],
  ['less than an hour before', new Date(2026, 10, 23, 3, 30), 24.5 * HOUR_MS],
])('a wall that was loaded %s is loaded again in the night', (_name, now, inMs) => {
  expect(untilNight(now, 0)).toBe(inMs);
  expect(untilNight(now, 0.999)).toBeLessThan(inMs + HOUR_MS);
});

test.each([
  [1, 1920, 1080, 1],
  [2, 1920, 1080, 2],
  [3, 1920, 1080, 3],
  [4, 1920, 1080, 2],
  [5, 1920, 1080, 3],
  [9, 1920, 1080, 3],
  [3, 1080, 1920, 1],
  [9, 1080, 1920, 2],
  [0, 1920, 1080, 1],
])('%i tiles on %i × %i have %i columns', (count, width, height, columns) => {
  expect(columnsFor(count, width, height)).toBe(columns);
});

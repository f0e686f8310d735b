import { expect, test } from '@jest/globals';
import { rangeOf, requireAtMost } from '../../../src/analytics/history/range.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-23T12:00:00.000Z');
const clock = { now: () => NOW };

test('a range without an end ends now, one without a start has the default length', () => {
  const toMs = NOW.getTime();
  expect(rangeOf({ clock }, {}, 28)).toEqual({ fromMs: toMs - 28 * DAY_MS, toMs });
  const from = new Date('2026-11-01');
  expect(rangeOf({ clock }, { from }, 1)).toEqual({ fromMs: from.getTime(), toMs });
  expect(() => rangeOf({ clock }, { from: NOW }, 1)).toThrow(
    'from: must lie before now, 2026-11-23T12:00:00.000Z, unless to is given',
  );
});

test('the more scenes, the shorter a range may be; a day is always allowed', () => {
  const limits = { days: 400, sceneDays: 5_000 };
  const rangeOfDays = (days: number) => ({ fromMs: NOW.getTime() - days * DAY_MS, toMs: NOW.getTime() });
  const mostDays = (scenes: number) =>
    [1, 2, 50, 100, 400, 401].filter((days) => {
      try {
        return requireAtMost(limits, scenes, rangeOfDays(days)).toMs === NOW.getTime();
      } catch {
        return false;
      }
    });
  expect([0, 1, 12, 50, 100, 2_500, 9_999].map((scenes) => mostDays(scenes).at(-1))).toEqual([
    ...[400, 400, 400, 100, 50, 2, 1],
  ]);
  expect(() => requireAtMost(limits, 50, rangeOfDays(101))).toThrow(
    'from: must lie at most 100 days before to for 50 scenes. Use 2026-08-15T12:00:00.000Z',
  );
});

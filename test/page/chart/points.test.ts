import { describe, expect, test } from '@jest/globals';
import { bucketEdges } from '../../../src/analytics/history/buckets.ts';
import { alignedWith, earlierIndices } from '../../../src/page/kit/chart/compare.ts';
import {
  bandsOf,
  bucketsOf,
  coverageWhileSeen,
  extent,
  indexAfterKey,
  indexAt,
  isolated,
  partlySeenSpans,
  unseenSpans,
} from '../../../src/page/kit/chart/points.ts';
import { spanLabel, zoneLabel } from '../../../src/page/kit/chart/time-labels.ts';
import { addDays, startOfDay } from '../../../src/page/kit/timezone/wall-clock.ts';

const BERLIN = 'Europe/Berlin';
const NOW = Date.UTC(2026, 10, 20, 12, 30);
const iso = (ms: number) => new Date(ms).toISOString();
const hour = (at: number) => Date.UTC(2026, 10, 20, at);

describe('buckets', () => {
  const answer = {
    t: [10, 11, 12, 13].map((at) => iso(hour(at))),
    to: iso(hour(14)),
    coveragePercent: [79.9, 0, 80, 0],
  };
  const buckets = bucketsOf(answer, NOW);

  test('end where the next begins, the last at the end of the answer', () => {
    expect(buckets.map(({ toMs }) => toMs)).toEqual([11, 12, 13, 14].map(hour));
  });

  test('with coverage below 80 % are hatched, those without frames apart, those ahead not', () => {
    expect(partlySeenSpans(buckets)).toEqual([{ fromMs: hour(10), toMs: hour(11) }]);
    expect(unseenSpans(buckets)).toEqual([{ fromMs: hour(11), toMs: hour(12) }]);
    const seenBadly = buckets.map((bucket) => ({ ...bucket, coveragePercent: 79 }));
    expect(partlySeenSpans(seenBadly)).toEqual([{ fromMs: hour(10), toMs: hour(13) }]);
  });

  test('have a band where the error of their value is known, and nowhere else', () => {
    expect(bandsOf(buckets, [4, null, 0, 2], [25, 25, 25, 150])).toEqual([
      { fromMs: hour(10), toMs: hour(11), low: 3, high: 5 },
      { fromMs: hour(13), toMs: hour(14), low: 0, high: 5 },
    ]);
    expect(bandsOf(buckets, [4, 4, 4, 4], [null, 0])).toEqual([]);
  });

  test('without frames do not count for the coverage of the others', () => {
    expect(coverageWhileSeen(buckets)).toBeCloseTo((79.9 + 80) / 2, 6);
    expect(coverageWhileSeen([])).toBeNull();
  });

  test.each([
    [hour(9), 0],
    [hour(10), 0],
    [hour(11) - 1, 0],
    [hour(12) + 5, 2],
    [hour(20), 3],
  ])('at %d is number %d', (ms, index) => expect(indexAt(buckets, ms)).toBe(index));

  test('of an empty answer are none', () => {
    expect(bucketsOf({ t: [], to: iso(NOW), coveragePercent: [] }, NOW)).toEqual([]);
    expect(unseenSpans([])).toEqual([]);
  });
});

test('values between two gaps are found', () => {
  expect(isolated([1, null, 2, 3, null, null, 4])).toEqual([0, 6]);
  expect(isolated([])).toEqual([]);
});

test('the extent leaves nulls out and includes 0', () => {
  expect(extent([[null, 3], [7]])).toEqual([0, 7]);
  expect(extent([[null]])).toEqual([0, 0]);
  expect(extent([[-2, 5]])).toEqual([-2, 5]);
});

test.each([
  ['ArrowRight', 3, 4],
  ['ArrowRight', 99, 99],
  ['ArrowLeft', 0, 0],
  ['Home', 50, 0],
  ['End', 0, 99],
  ['PageUp', 50, 60],
  ['PageDown', 5, 0],
  ['a', 5, undefined],
])('the key %s leads from %d to %d', (key, from, to) => expect(indexAfterKey(key, from, 100)).toBe(to));

describe('the week before', () => {
  const startsOf = (date: string, days: number) =>
    bucketEdges('1h', {
      fromMs: startOfDay(BERLIN, date),
      toMs: startOfDay(BERLIN, addDays(date, days)),
      timezone: BERLIN,
    }).slice(0, -1);
  const compared = (date: string) =>
    earlierIndices(startsOf(date, 1), startsOf(addDays(date, -7), 1), { timezone: BERLIN, days: 7 });

  test('of a day that loses an hour is compared by the clock on the wall', () => {
    expect(compared('2026-03-29').slice(0, 4)).toEqual([0, 1, 3, 4]);
    expect(compared('2026-03-29')).toHaveLength(23);
  });

  test('of a day that repeats an hour: the first with the single one, the second with nothing', () => {
    expect(compared('2026-10-25').slice(0, 5)).toEqual([0, 1, 2, null, 3]);
    // A week later, the single hour is compared with the first.
    expect(compared('2026-11-01').slice(0, 5)).toEqual([0, 1, 2, 4, 5]);
  });

  test('of a day whose week before lost an hour has nothing there', () => {
    expect(compared('2026-04-05').slice(0, 5)).toEqual([0, 1, null, 2, 3]);
  });

  test('gives its values, null where there is no bucket or no value', () => {
    expect(alignedWith([1, null, 0, 9], [5, null])).toEqual([null, null, 5, null]);
  });
});

describe('spans in words', () => {
  const de = { timezone: BERLIN, locale: 'de' };
  const hourOf = (ms: number) => ({ fromMs: ms, toMs: ms + 3_600_000 });
  test.each([
    ['an hour', hourOf(Date.UTC(2026, 10, 20, 9)), 'Fr., 20. Nov., 10:00–11:00'],
    ['the first of two hours', hourOf(Date.UTC(2026, 9, 25, 0)), 'So., 25. Okt., 02:00 GMT+2 – 02:00 GMT+1'],
    ['the second of two hours', hourOf(Date.UTC(2026, 9, 25, 1)), 'So., 25. Okt., 02:00 GMT+1 – 03:00 GMT+1'],
    ['the hour before the skipped one', hourOf(Date.UTC(2026, 2, 29, 0)), 'So., 29. März, 01:00–03:00'],
  ])('%s', (_, span, text) => expect(spanLabel(span, de)).toBe(text));

  test('a day is its date, several days are their first and last', () => {
    const day = (date: string) => startOfDay(BERLIN, date);
    expect(spanLabel({ fromMs: day('2026-10-25'), toMs: day('2026-10-26') }, de)).toBe('So., 25. Okt.');
    const week = spanLabel({ fromMs: day('2026-11-16'), toMs: day('2026-11-23') }, de);
    // Intl writes thin spaces.
    expect(week.replaceAll(/\s/g, ' ')).toBe('Mo., 16. – So., 22. Nov.');
  });

  test('a zone is named by its place and its distance from UTC', () => {
    expect(zoneLabel(de, Date.UTC(2026, 6, 1))).toBe('Berlin (GMT+2)');
    expect(zoneLabel({ timezone: 'America/New_York', locale: 'en' }, Date.UTC(2026, 0, 1))).toBe(
      'New York (GMT-5)',
    );
  });
});

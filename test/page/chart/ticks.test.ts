import { describe, expect, test } from '@jest/globals';
import { type Bucket, bucketEdges } from '../../../src/analytics/history/buckets.ts';
import { timeTicks, type ValueKind, valueTicks } from '../../../src/page/kit/chart/ticks.ts';
import { startOfDay } from '../../../src/page/kit/timezone/wall-clock.ts';

const BERLIN = 'Europe/Berlin';

/** The labels of buckets that the server would give for local days. */
function labelsOf(bucket: Bucket, [from, to]: [string, string], { most = 12, locale = 'de' } = {}) {
  const range = { fromMs: startOfDay(BERLIN, from), toMs: startOfDay(BERLIN, to), timezone: BERLIN };
  const starts = bucketEdges(bucket, range).slice(0, -1);
  return timeTicks(starts, { timezone: BERLIN, locale, most });
}
const texts = (ticks: ReturnType<typeof labelsOf>) =>
  ticks.map(({ label, below }) => (below ? `${label}|${below}` : label));

describe('labels of a time axis', () => {
  test('the night in which Berlin loses an hour has no 02:00', () => {
    const ticks = labelsOf('1h', ['2026-03-29', '2026-03-30'], { most: 24 });
    expect(texts(ticks).slice(0, 4)).toEqual(['00:00|So., 29. März', '01:00', '03:00', '04:00']);
    expect(ticks).toHaveLength(23);
    expect(ticks[2]!.ms - ticks[1]!.ms).toBe(3_600_000);
  });

  test('the night in which Berlin repeats an hour has 02:00 once, and two hours to 03:00', () => {
    const ticks = labelsOf('1h', ['2026-10-25', '2026-10-26'], { most: 24 });
    expect(texts(ticks).slice(0, 5)).toEqual(['00:00|So., 25. Okt.', '01:00', '02:00', '03:00', '04:00']);
    expect(ticks[3]!.ms - ticks[2]!.ms).toBe(2 * 3_600_000);
  });

  test.each([
    ['2026-03-29', '2026-03-30'],
    ['2026-10-25', '2026-10-26'],
  ])('every third hour of %s is labelled by the clock on the wall', (from, to) => {
    expect(labelsOf('15m', [from, to], { most: 8 }).map(({ label }) => label)).toEqual([
      ...['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00'],
    ]);
  });

  test('days stay days where one of them has 23 or 25 hours', () => {
    expect(texts(labelsOf('1h', ['2026-03-27', '2026-04-01'], { most: 6 }))).toEqual([
      ...['Fr., 27.|März', 'Sa., 28.', 'So., 29.', 'Mo., 30.', 'Di., 31.'],
    ]);
    expect(texts(labelsOf('6h', ['2026-10-24', '2026-10-27'], { most: 4 }))).toEqual([
      ...['Sa., 24.|Oktober', 'So., 25.', 'Mo., 26.'],
    ]);
  });

  test('a new day is named below its first time', () => {
    expect(texts(labelsOf('1h', ['2026-11-20', '2026-11-22'], { most: 8 }))).toEqual([
      '00:00|Fr., 20. Nov.',
      ...['06:00', '12:00', '18:00'],
      '00:00|Sa., 21. Nov.',
      ...['06:00', '12:00', '18:00'],
    ]);
  });

  test('thirty days are labelled by weeks that begin on Monday', () => {
    expect(texts(labelsOf('3h', ['2026-11-01', '2026-12-01'], { most: 6 }))).toEqual([
      ...['2. Nov.', '9. Nov.', '16. Nov.', '23. Nov.', '30. Nov.'],
    ]);
  });

  test('years are labelled by months', () => {
    const labels = texts(labelsOf('1w', ['2025-10-01', '2026-10-01'], { most: 5, locale: 'en' }));
    expect(labels.length).toBeLessThanOrEqual(5);
    expect(labels[0]).toMatch(/^\w{3}\|2025$/);
  });

  test('one bucket has one label, and none has none', () => {
    const one = timeTicks([Date.UTC(2026, 10, 20, 9, 7)], { timezone: BERLIN, locale: 'en-GB', most: 5 });
    expect(one.map(({ label }) => label)).toEqual(['10:07']);
    expect(timeTicks([], { timezone: BERLIN, locale: 'en', most: 5 })).toEqual([]);
  });
});

describe('labels of a value axis', () => {
  test.each<[number, number, ValueKind, number[]]>([
    [0, 7, 'count', [0, 2, 4, 6, 8]],
    [0, 1, 'count', [0, 1]],
    [0, 0, 'count', [0, 1]],
    [0, 0, 'share', [0, 0.25]],
    [0, 2.3, 'number', [0, 1, 2, 3]],
    [0, 0.3, 'number', [0, 0.1, 0.2, 0.3]],
    [0, 250, 'seconds', [0, 120, 240, 360]],
    [0, 45, 'seconds', [0, 15, 30, 45]],
    [0, 0.37, 'share', [0, 0.1, 0.2, 0.3, 0.4]],
    [-12, 30, 'number', [-20, 0, 20, 40]],
    [0, 1e9, 'seconds', [0, 5e8, 1e9]],
  ])('%d to %d as %s: %j', (smallest, largest, kind, ticks) => {
    expect(valueTicks(smallest, largest, kind)).toEqual(ticks);
  });
});

import { describe, expect, test } from '@jest/globals';
import { withoutClosed } from '../../../src/page/history/open-series.ts';
import { bucketsOf, sideBySide, unseenSpans } from '../../../src/page/kit/chart/points.ts';
import { seamsOf } from '../../../src/page/kit/chart/seams.ts';
import { openInWords, weekInWords } from '../../../src/page/kit/words/opening-words.ts';
import { schedule as DE } from '../../../src/page/text/de/schedule.ts';
import { schedule as EN } from '../../../src/page/text/en/schedule.ts';

const HOUR_MS = 3_600_000;
const STYLE = {
  ...{ timezone: 'Europe/Berlin', locale: 'en-GB', closed: 'closed' },
  closedDay: (day: string) => `${day} closed`,
};
/** Saturday, 21 November 2026, 20:00 in Berlin, until Monday 10:00: open until 21:00 and from 9:00. */
const FROM_MS = Date.parse('2026-11-21T19:00Z');
const series = (bucket: string) => {
  const t = Array.from({ length: 38 }, (_, at) => new Date(FROM_MS + at * HOUR_MS).toISOString());
  return {
    ...{ t, to: new Date(FROM_MS + 38 * HOUR_MS).toISOString(), bucket, unfinishedIndex: 37 },
    openPercent: t.map((_, at) => (at === 0 || at === 37 ? 100 : 0)),
    coveragePercent: t.map((_, at) => (at === 0 ? 100 : 0)),
    arrivals: t.map((_, at) => at),
  } as never;
};

describe('closed times', () => {
  test('are left out of a chart by hours: the buckets stand side by side, with the closed day between them', () => {
    const open = withoutClosed(series('1h'));
    expect([open.arrivals, open.unfinishedIndex]).toEqual([[0, 37], 1]);
    const buckets = bucketsOf(open, Number.POSITIVE_INFINITY);
    expect(buckets.map(({ fromMs, toMs }) => [fromMs - FROM_MS, toMs - FROM_MS])).toEqual([
      [0, HOUR_MS],
      [37 * HOUR_MS, 38 * HOUR_MS],
    ]);
    const drawn = sideBySide(buckets);
    expect(drawn.map(({ fromMs }) => fromMs - FROM_MS)).toEqual([0, HOUR_MS]);
    expect(seamsOf(buckets, drawn, STYLE)).toEqual([{ ms: FROM_MS + HOUR_MS, label: 'Sun closed' }]);
    // The open hour without frames is missed, the closed ones are not.
    expect(unseenSpans(drawn)).toEqual([{ fromMs: FROM_MS + HOUR_MS, toMs: FROM_MS + 2 * HOUR_MS }]);
  });

  test('stay as closed columns in a chart by days; without opening hours nothing changes', () => {
    const days = series('1d');
    expect(withoutClosed(days)).toBe(days);
    const buckets = bucketsOf(days, Number.POSITIVE_INFINITY);
    expect(sideBySide(buckets)).toEqual(buckets);
    expect(unseenSpans(buckets)).toHaveLength(1);
    expect(seamsOf(buckets, buckets, STYLE)[0]!.label).toBe('closed');
    const always = { ...(series('1h') as object), openPercent: null } as never;
    expect(withoutClosed(always)).toBe(always);
  });
});

describe('opening hours in words', () => {
  const HOURS = {
    windows: [
      { days: [1, 2, 3, 4, 5], start: '14:00', end: '18:00' },
      { days: [1, 2, 3, 4, 5], start: '09:00', end: '12:00' },
      { days: [6], start: '00:00', end: '00:00' },
    ],
    exceptions: [{ date: '2026-11-23', name: 'Stocktaking', windows: [] }],
  };

  test('the week, days with the same hours together', () => {
    expect(weekInWords(HOURS, EN)).toBe('Mon-Fri 09:00-12:00, 14:00-18:00; Sat 24 hours; Sun closed');
    expect(weekInWords(HOURS, DE)).toBe('Mo-Fr 09:00-12:00, 14:00-18:00; Sa 24 Stunden; So geschlossen');
  });

  test.each([
    ['2026-11-20T10:00', 'Open until 12:00'],
    ['2026-11-20T12:00', 'Closed. Opens 14:00'],
    ['2026-11-20T19:00', 'Closed. Opens Saturday 00:00'],
    ['2026-11-22T10:00', 'Closed. Opens Tuesday 09:00'],
  ])('at %s', (clock, expected) => {
    const now = { timezone: 'UTC', locale: 'en-GB', nowMs: Date.parse(`${clock}Z`) };
    expect(openInWords(HOURS, now, EN)).toBe(expected);
  });
});

import { describe, expect, test } from '@jest/globals';
import { byDay, dateInWords, dayOf, namedDay } from '../../../src/page/feed/days.ts';
import { endOfDay } from '../../../src/page/feed/filter.ts';

const BERLIN = 'Europe/Berlin';

test.each([
  ['2026-01-31T22:59:59.999Z', BERLIN, '2026-01-31'],
  ['2026-01-31T23:00:00.000Z', BERLIN, '2026-02-01'],
  ['2026-01-31T23:00:00.000Z', 'America/New_York', '2026-01-31'],
  // In the night in which the clock repeats an hour both of its hours belong to the same day.
  ['2026-10-25T00:30:00.000Z', BERLIN, '2026-10-25'],
  ['2026-10-25T01:30:00.000Z', BERLIN, '2026-10-25'],
  ['2026-03-01T12:00:00.000Z', 'Pacific/Kiritimati', '2026-03-02'],
])('%s in %s is on %s', (at, timezone, day) => expect(dayOf(at, timezone)).toBe(day));

test('entries are put together by day, in their order', () => {
  const items = ['2026-02-01T08:00:00Z', '2026-01-31T23:30:00Z', '2026-01-31T20:00:00Z'].map(
    (triggeredAt) => ({
      triggeredAt,
    }),
  );
  expect(
    byDay(items, ({ triggeredAt }) => dayOf(triggeredAt, BERLIN)).map(({ date, items: ofDay }) => [
      date,
      ofDay.length,
    ]),
  ).toEqual([
    ['2026-02-01', 2],
    ['2026-01-31', 1],
  ]);
  expect(byDay([], String)).toEqual([]);
});

describe('names of days', () => {
  // The day before has 25 hours.
  const now = new Date('2026-10-26T10:00:00Z');
  test.each([
    ['2026-10-26', 'today'],
    ['2026-10-25', 'yesterday'],
    ['2026-10-24', null],
    ['2026-10-27', null],
  ])('%s is %s', (date, name) => expect(namedDay(date, now, BERLIN)).toBe(name));

  test('a date is said with its year only where it is another year', () => {
    const options = { locale: 'en-GB', timezone: BERLIN };
    expect(dateInWords('2026-10-25', now, options)).toMatch(/^Sunday,? 25 October$/);
    expect(dateInWords('2025-12-31', now, options)).toMatch(/^Wednesday,? 31 December 2025$/);
    expect(dateInWords('2026-10-25', now, { ...options, locale: 'de' })).toBe('Sonntag, 25. Oktober');
  });
});

test.each([
  ['2026-01-31', BERLIN, '2026-01-31T23:00:00.000Z'],
  ['2026-03-29', BERLIN, '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', BERLIN, '2026-10-25T23:00:00.000Z'],
  ['2026-12-31', 'Asia/Kathmandu', '2026-12-31T18:15:00.000Z'],
  ['2026-06-01', 'UTC', '2026-06-02T00:00:00.000Z'],
])('%s in %s ends at %s', (date, timezone, end) => expect(endOfDay(date, timezone).toISOString()).toBe(end));

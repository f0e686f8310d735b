import { describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import {
  addDays,
  clockSpans,
  instantOf,
  isRepeated,
  localDate,
  momentOf,
  offsetAt,
  parseDate,
  startOfDay,
  wallClock,
  wallTimes,
} from '../../../src/page/kit/timezone/wall-clock.ts';
import { fc } from '../../support/property.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
];
const HOUR_MS = 3_600_000;
const zones = fc.constantFrom(...ZONES);
const minutes = fc.integer({
  min: Date.UTC(2001, 0) / 60_000,
  max: Date.UTC(2035, 0) / 60_000,
});

describe('the clock on the wall', () => {
  test('agrees with luxon at any moment of any zone', () => {
    fc.assert(
      fc.property(zones, minutes, (timezone, minute) => {
        const ms = minute * 60_000;
        const local = DateTime.fromMillis(ms, { zone: timezone });
        expect(offsetAt(timezone, ms)).toBe(local.offset * 60_000);
        expect(localDate(timezone, ms)).toBe(local.toISODate());
        expect(startOfDay(timezone, local.toISODate()!)).toBe(local.startOf('day').toMillis());
      }),
    );
  });

  test('is written as luxon writes it, and what is written leads back', () => {
    const times = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) });
    fc.assert(
      fc.property(times, zones, (ms, zone) => {
        const clock = wallClock(zone, ms);
        expect(clock).toBe(DateTime.fromMillis(ms, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss"));
        const back = instantOf(zone, clock);
        // Where a clock shows a time twice, the first one is meant.
        expect([0, HOUR_MS / 2, HOUR_MS]).toContain(Math.floor(ms / 1000) * 1000 - back);
        expect(wallClock(zone, back)).toBe(clock);
      }),
    );
  });

  test.each([
    ['2026-07-01T09:30', 'Europe/Berlin', '2026-07-01T07:30:00.000Z'],
    ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-01-01T00:00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
  ])('%s in %s is %s', (clock, zone, expected) =>
    expect(new Date(instantOf(zone, clock)).toISOString()).toBe(expected),
  );

  test.each(['', '2026-11-23', '2026-13-01T00:00', '2026-11-23T25:00', 'soon', '2026-11-23T09:00Z'])(
    '%p is no time',
    (clock) => expect(instantOf('UTC', clock)).toBeNaN(),
  );

  test('days begin at midnight of the zone, also where clocks change', () => {
    expect(localDate('Europe/Berlin', Date.UTC(2026, 10, 23, 23, 30))).toBe('2026-11-24');
    expect(startOfDay('Europe/Berlin', '2026-10-26')).toBe(Date.UTC(2026, 9, 25, 23));
    expect(startOfDay('Europe/Berlin', '2026-10-26') - startOfDay('Europe/Berlin', '2026-10-25')).toBe(
      25 * HOUR_MS,
    );
  });

  test('a list of moments is read like each of them', () => {
    fc.assert(
      fc.property(
        zones,
        minutes,
        fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 60 }),
        (timezone, minute, distances) => {
          let ms = minute * 60_000;
          const moments = distances.map((distance) => (ms += distance * 60_000));
          expect(wallTimes(timezone, moments)).toEqual(moments.map((at) => at + offsetAt(timezone, at)));
        },
      ),
    );
  });

  test('a time of the wall leads back to its first moment', () => {
    const spring = Date.UTC(2026, 2, 29, 1);
    const autumn = Date.UTC(2026, 9, 25, 0);
    // 02:30 does not exist; it is 03:00. 02:30 exists twice; the first is meant.
    expect(momentOf('Europe/Berlin', Date.UTC(2026, 2, 29, 2, 30))).toBe(spring);
    expect(momentOf('Europe/Berlin', Date.UTC(2026, 9, 25, 2, 30))).toBe(autumn + HOUR_MS / 2);
  });

  test('clocks change at the minute that the zone says', () => {
    const from = Date.UTC(2026, 9, 24);
    const change = Date.UTC(2026, 9, 25, 1);
    const to = Date.UTC(2026, 9, 27);
    expect(clockSpans('Europe/Berlin', from, to)).toEqual([
      { fromMs: from, toMs: change, offsetMs: 2 * HOUR_MS },
      { fromMs: change, toMs: to, offsetMs: HOUR_MS },
    ]);
  });

  test.each([
    ['01:59 before', Date.UTC(2026, 9, 24, 23, 59), false],
    ['02:00 for the first time', Date.UTC(2026, 9, 25, 0), true],
    ['02:59 for the second time', Date.UTC(2026, 9, 25, 1, 59), true],
    ['03:00', Date.UTC(2026, 9, 25, 2), false],
  ])('%s: repeated is %s', (_, ms, isTwice) => {
    expect(isRepeated('Europe/Berlin', ms)).toBe(isTwice);
  });

  test.each([
    ['2026-02-29', undefined],
    ['2026-2-1', undefined],
    ['<script>', undefined],
    ['2028-02-29', '2028-02-29'],
  ])('%s is the date %s', (text, date) => expect(parseDate(text)).toBe(date));

  test('days are added on the calendar', () => {
    expect(addDays('2026-02-27', 3)).toBe('2026-03-02');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  });
});

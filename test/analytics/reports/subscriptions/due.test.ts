import { expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { nextDue } from '../../../../src/analytics/reports/subscriptions/due.ts';
import { fc } from '../../../support/property.ts';

const daily = (localTime: string, timezone = 'Europe/Berlin') =>
  ({ period: 'day', localTime, weekday: null, timezone }) as const;
const weekly = (weekday: number, localTime: string, timezone = 'Europe/Berlin') =>
  ({ period: 'week', localTime, weekday, timezone }) as const;

test.each([
  ['later today', daily('07:30'), '2026-11-23T05:00:00Z', '2026-11-23T06:30:00.000Z'],
  ['at that very moment: tomorrow', daily('07:30'), '2026-11-23T06:30:00Z', '2026-11-24T06:30:00.000Z'],
  ['the date is that of the site', daily('00:10'), '2026-11-22T23:05:00Z', '2026-11-22T23:10:00.000Z'],
  ['on Monday', weekly(1, '08:00'), '2026-11-24T12:00:00Z', '2026-11-30T07:00:00.000Z'],
  ['today is Monday', weekly(1, '08:00'), '2026-11-23T06:00:00Z', '2026-11-23T07:00:00.000Z'],
  ['today was Monday', weekly(1, '08:00'), '2026-11-23T07:00:00Z', '2026-11-30T07:00:00.000Z'],
  ['02:30 is skipped: an hour later', daily('02:30'), '2026-03-29T00:00:00Z', '2026-03-29T01:30:00.000Z'],
  ['02:30 comes twice: the first', daily('02:30'), '2026-10-24T23:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['and not the second', daily('02:30'), '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
  [
    'the zone skips the day',
    daily('08:00', 'Pacific/Apia'),
    '2011-12-30T00:00:00Z',
    '2011-12-30T18:00:00.000Z',
  ],
])('%s', (_what, timetable, after, expected) => {
  expect(nextDue(timetable, Date.parse(after)).toISOString()).toBe(expected);
});

test('each local date has one moment, and no date is left out', () => {
  const zone = fc.constantFrom(
    'Europe/Berlin',
    'America/Havana',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
  );
  const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
  const start = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) });
  fc.assert(
    fc.property(zone, clock, start, (timezone, [hour, minute], startMs) => {
      const two = (value: number) => String(value).padStart(2, '0');
      const timetable = daily(`${two(hour)}:${two(minute)}`, timezone);
      let at = nextDue(timetable, startMs).getTime();
      expect(at).toBeGreaterThan(startMs);
      for (let step = 0; step < 10; step++) {
        const next = nextDue(timetable, at).getTime();
        const date = (ms: number) => DateTime.fromMillis(ms, { zone: timezone }).startOf('day');
        expect(Math.round(date(next).diff(date(at), 'days').days)).toBe(1);
        at = next;
      }
    }),
  );
});

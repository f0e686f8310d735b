import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  addDays,
  dateOf,
  instantOf,
  startOfDay,
  wallClock,
} from '../../../src/web/kit/timezone/zoned-time.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Santiago',
];
const iso = (ms: number) => new Date(ms).toISOString();

describe('wall clocks', () => {
  test('show what luxon shows, in any zone at any time', () => {
    const at = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) });
    fc.assert(
      fc.property(at, fc.constantFrom(...ZONES), (ms, zone) => {
        const clock = wallClock(ms, zone);
        expect(clock).toBe(DateTime.fromMillis(ms, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss"));
        const back = instantOf(clock, zone);
        // Where a clock shows a time twice, the first one is meant.
        expect([0, 1_800_000, 3_600_000]).toContain(Math.floor(ms / 1000) * 1000 - back);
        expect(wallClock(back, zone)).toBe(clock);
      }),
    );
  });

  test.each([
    ['2026-07-01T09:30', 'Europe/Berlin', '2026-07-01T07:30:00.000Z'],
    ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-01-01T00:00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
  ])('%s in %s is %s', (clock, zone, expected) => expect(iso(instantOf(clock, zone))).toBe(expected));

  test.each(['', '2026-11-23', '2026-13-01T00:00', '2026-11-23T25:00', 'soon', '2026-11-23T09:00Z'])(
    '%p is no time',
    (clock) => expect(instantOf(clock, 'UTC')).toBeNaN(),
  );

  test('days begin at midnight of the zone, also where clocks change', () => {
    expect(dateOf(Date.UTC(2026, 10, 23, 23, 30), 'Europe/Berlin')).toBe('2026-11-24');
    expect(iso(startOfDay('2026-10-26', 'Europe/Berlin'))).toBe('2026-10-25T23:00:00.000Z');
    expect(startOfDay('2026-10-26', 'Europe/Berlin') - startOfDay('2026-10-25', 'Europe/Berlin')).toBe(
      25 * 3_600_000,
    );
    expect([addDays('2026-02-28', 1), addDays('2026-01-01', -1)]).toEqual(['2026-03-01', '2025-12-31']);
  });
});

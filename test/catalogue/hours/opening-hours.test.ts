import { describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { type OpeningHours, openSpans, openWithin } from '../../../src/catalogue/hours/opening-hours.ts';
import { clockSpans as clockOfPage } from '../../../src/page/kit/timezone/wall-clock.ts';
import { clockSpans } from '../../../src/platform/jobs/local-clock.ts';
import { isOpenAt, openingHoursAround } from '../../support/opening-hours.ts';
import { fc } from '../../support/property.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
const DAY_MS = 24 * HOUR_MS;
const week = (...windows: [number[], string, string][]): OpeningHours => ({
  windows: windows.map(([days, start, end]) => ({ days, start, end })),
  exceptions: [],
});
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** Open times of local days as local texts. */
function shown(hours: OpeningHours, zone: string, first: string, days: number): string[] {
  const from = DateTime.fromISO(first, { zone }).startOf('day');
  const clock = clockSpans(zone, from.toMillis(), from.plus({ days }).toMillis());
  const text = (ms: number) => DateTime.fromMillis(ms, { zone }).toFormat('ccc HH:mm');
  return openSpans(hours, clock).map(
    ({ fromMs, toMs }) => `${text(fromMs)} - ${text(toMs)} = ${(toMs - fromMs) / HOUR_MS} h`,
  );
}

describe('openSpans', () => {
  const exceptions = [
    { date: '2026-11-25', name: 'Stocktaking', windows: [] },
    { date: '2026-11-26', name: null, windows: [{ start: '10:00', end: '12:15' }] },
  ];
  test.each<[string, OpeningHours, string, string, number, string[]]>([
    [
      'two windows of a day',
      week([[2], '08:00', '12:00'], [[2], '14:00', '18:30']),
      ...(['Europe/Berlin', '2026-11-23', 7] as const),
      ['Tue 08:00 - Tue 12:00 = 4 h', 'Tue 14:00 - Tue 18:30 = 4.5 h'],
    ],
    [
      'windows that touch',
      week([[1], '08:00', '12:00'], [[1], '12:00', '13:00']),
      'UTC',
      '2026-11-23',
      2,
      ['Mon 08:00 - Mon 13:00 = 5 h'],
    ],
    ['over midnight', week([[5], '18:00', '02:00']), 'UTC', '2026-11-27', 2, ['Fri 18:00 - Sat 02:00 = 8 h']],
    [
      'what opened the day before',
      week([[5], '18:00', '02:00']),
      'UTC',
      '2026-11-28',
      1,
      ['Sat 00:00 - Sat 02:00 = 2 h'],
    ],
    [
      'day and night',
      week([EVERY_DAY, '00:00', '00:00']),
      'Europe/Berlin',
      '2026-10-24',
      3,
      ['Sat 00:00 - Tue 00:00 = 73 h'],
    ],
    [
      'a day of 24 hours from six on',
      week([[1], '06:00', '06:00']),
      'UTC',
      '2026-11-23',
      3,
      ['Mon 06:00 - Tue 06:00 = 24 h'],
    ],
    [
      'the night that loses an hour',
      week([[6], '22:00', '04:00']),
      'Europe/Berlin',
      '2026-03-28',
      2,
      ['Sat 22:00 - Sun 04:00 = 5 h'],
    ],
    [
      'the night that has one more',
      week([[6], '22:00', '04:00']),
      'Europe/Berlin',
      '2026-10-24',
      2,
      ['Sat 22:00 - Sun 04:00 = 7 h'],
    ],
    [
      'half an hour of change',
      week([[7], '01:00', '03:00']),
      'Australia/Lord_Howe',
      '2026-10-04',
      1,
      ['Sun 01:00 - Sun 03:00 = 1.5 h'],
    ],
    [
      'days with other hours',
      { ...week([[3, 4, 5], '09:00', '10:00']), exceptions },
      ...(['UTC', '2026-11-25', 3] as const),
      ['Thu 10:00 - Thu 12:15 = 2.25 h', 'Fri 09:00 - Fri 10:00 = 1 h'],
    ],
    [
      'a closed day after a long night',
      { ...week([[2, 3], '20:00', '03:00']), exceptions },
      ...(['UTC', '2026-11-24', 3] as const),
      ['Tue 20:00 - Wed 03:00 = 7 h', 'Thu 10:00 - Thu 12:15 = 2.25 h'],
    ],
    ['no window', week(), 'UTC', '2026-11-23', 7, []],
  ])('%s', (_name, hours, zone, first, days, expected) => {
    expect(shown(hours, zone, first, days)).toEqual(expected);
  });

  const ZONES = [
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
  ];

  test('a moment is open exactly when the clock on the wall is within a window, and page and service agree', () => {
    fc.assert(
      fc.property(
        openingHoursAround('2026-03-27'),
        fc.constantFrom(...ZONES),
        fc.nat(1_000),
        (hours, zone, quarters) => {
          const fromMs = Date.parse('2026-03-24T00:00Z') + quarters * QUARTER_MS;
          const toMs = fromMs + 9 * DAY_MS;
          const open = openSpans(hours, clockSpans(zone, fromMs, toMs));
          expect(openSpans(hours, clockOfPage(zone, fromMs, toMs))).toEqual(open);
          for (const [at, span] of open.entries()) {
            expect(span.fromMs).toBeGreaterThan(open[at - 1]?.toMs ?? fromMs - 1);
            expect(span.toMs).toBeGreaterThan(span.fromMs);
            expect(span.toMs).toBeLessThanOrEqual(toMs);
          }
          const edges = open.flatMap((span) => [span.fromMs - 1, span.fromMs, span.toMs - 1, span.toMs]);
          const between = Array.from({ length: 40 }, (_, at) => fromMs + at * 21 * QUARTER_MS);
          const wrong = [...edges, ...between]
            .filter((ms) => ms >= fromMs && ms < toMs)
            .filter((ms) => {
              const isOpen = open.some((span) => span.fromMs <= ms && ms < span.toMs);
              return isOpen !== isOpenAt(hours, zone, ms);
            });
          expect(wrong).toEqual([]);
          expect(openWithin(open, { fromMs, toMs })).toBe(
            open.reduce((all, span) => all + span.toMs - span.fromMs, 0),
          );
        },
      ),
    );
  });
});

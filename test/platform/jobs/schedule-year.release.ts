import { describe, expect, test } from '@jest/globals';
import { isWithinSchedule, lastEdge, nextEdge, type Schedule } from '../../../src/platform/jobs/schedule.ts';
import { dearCases, fc } from '../../support/property.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  // Half an hour of DST; 45 minutes from the full hour; DST in the south; DST that begins at midnight.
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Santiago',
  'Africa/Cairo',
];
/** Of which every quarter of an hour of a year is looked at. */
const WHOLE_YEARS = IS_THOROUGH ? ZONES : ['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Cairo'];
const MINUTE_MS = 60_000;
const YEAR_START = Date.UTC(2026, 0, 1);
const YEAR_END = Date.UTC(2027, 0, 1);
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The clock on the wall as the browser's library knows it: nothing of ours. */
function wallClock(zone: string): (ms: number) => { day: number; clock: string } {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return { day: DAYS.indexOf(parts.weekday!) + 1, clock: `${parts.hour}:${parts.minute}` };
  };
}

function isOpen(schedule: Schedule, { day, clock }: { day: number; clock: string }): boolean {
  const before = day === 1 ? 7 : day - 1;
  return schedule.windows.some(({ days, start, end }) =>
    start < end
      ? days.includes(day) && clock >= start && clock < end
      : (days.includes(day) && clock >= start) || (days.includes(before) && clock < end),
  );
}

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 1, 15, 30, 45, 59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const schedules = fc.record({
  timezone: fc.constantFrom(...ZONES),
  windows: fc.array(
    fc.record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
      start: clock,
      end: clock,
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

describe('the edges of a schedule', () => {
  test.each(WHOLE_YEARS)(
    'over a year in %s: between two of them nothing changes, at each everything',
    (timezone) => {
      const schedule: Schedule = {
        timezone,
        windows: [
          { days: [1, 2, 3, 4, 5, 6, 7], start: '22:00', end: '02:30' },
          { days: [7], start: '00:15', end: '03:00' },
          { days: [1, 3, 5], start: '09:00', end: '17:00' },
        ],
      };
      const wall = wallClock(timezone);
      let edge = nextEdge(schedule, YEAR_START)!;
      let open = isOpen(schedule, wall(YEAR_START));
      for (let ms = YEAR_START + 15 * MINUTE_MS; ms < YEAR_END; ms += 15 * MINUTE_MS) {
        if (ms >= edge) {
          expect([new Date(ms).toISOString(), ms - edge]).toEqual([new Date(ms).toISOString(), 0]);
          open = !open;
          edge = nextEdge(schedule, ms)!;
        }
        if (isOpen(schedule, wall(ms)) !== open) throw new Error(`wrong at ${new Date(ms).toISOString()}`);
      }
    },
  );

  test('the next and the last edge equal those found minute by minute, for random schedules and times', () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: 0, max: 365 * 1440 }), (schedule, minute) => {
        const atMs = YEAR_START + minute * MINUTE_MS;
        const wall = wallClock(schedule.timezone);
        const open = isOpen(schedule, wall(atMs));
        expect(isWithinSchedule(schedule, atMs)).toBe(open);
        const [last, next] = [lastEdge(schedule, atMs), nextEdge(schedule, atMs)];
        // Two days are walked; an edge further away must not be claimed to be nearer.
        let ms = atMs;
        while (ms < atMs + 2 * 1440 * MINUTE_MS && isOpen(schedule, wall(ms)) === open) ms += MINUTE_MS;
        if (ms < atMs + 2 * 1440 * MINUTE_MS) expect(next).toBe(ms);
        else expect(next === null || next >= ms).toBe(true);
        ms = atMs;
        while (ms > atMs - 2 * 1440 * MINUTE_MS && isOpen(schedule, wall(ms - MINUTE_MS)) === open)
          ms -= MINUTE_MS;
        if (ms > atMs - 2 * 1440 * MINUTE_MS) expect(last).toBe(ms);
        else expect(last === null || last <= ms).toBe(true);
      }),
      { numRuns: dearCases(15) },
    );
  });

  test('a window without end has no edge; a window in an hour that DST skips comes a week later', () => {
    const always = {
      timezone: 'UTC',
      windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '05:00', end: '05:00' }],
    };
    expect([nextEdge(always, YEAR_START), lastEdge(always, YEAR_START)]).toEqual([null, null]);
    const lost = { timezone: 'Europe/Berlin', windows: [{ days: [7], start: '02:00', end: '03:00' }] };
    const edge = nextEdge(lost, Date.parse('2026-03-22T02:00:00Z'))!;
    expect(new Date(edge).toISOString()).toBe('2026-04-05T00:00:00.000Z');
  });
});

import { describe, expect, test } from '@jest/globals';
import { IANAZone } from 'luxon';
import {
  isWithinSchedule,
  type Schedule,
  scheduleSchema,
  storedSchedule,
  timezone,
  timezoneOf,
} from '../../../src/platform/jobs/schedule.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const of = (timezone: string, start: string, end: string, days = EVERY_DAY): Schedule => ({
  timezone,
  windows: [{ days, start, end }],
});

describe('a schedule', () => {
  test.each<[string, Schedule, string, boolean]>([
    ['its start is inside', of('UTC', '09:00', '21:00'), '2026-03-02T09:00:00Z', true],
    ['just before', of('UTC', '09:00', '21:00'), '2026-03-02T08:59:59.999Z', false],
    ['its end is outside', of('UTC', '09:00', '21:00'), '2026-03-02T21:00:00Z', false],
    ['local time counts', of('Asia/Tokyo', '09:00', '21:00'), '2026-03-02T00:30:00Z', true],
    ['and not UTC', of('Asia/Tokyo', '09:00', '21:00'), '2026-03-02T12:30:00Z', false],
    ['half hours of a zone', of('Asia/Kolkata', '09:00', '10:00'), '2026-03-02T03:30:00Z', true],
    ['Monday', of('UTC', '09:00', '21:00', [1]), '2026-03-02T10:00:00Z', true],
    ['not Tuesday', of('UTC', '09:00', '21:00', [1]), '2026-03-03T10:00:00Z', false],
    ['over midnight, before it', of('UTC', '22:00', '06:00', [7]), '2026-03-01T23:00:00Z', true],
    ['over midnight, after it', of('UTC', '22:00', '06:00', [7]), '2026-03-02T05:59:00Z', true],
    ['over midnight, the day before counts', of('UTC', '22:00', '06:00', [1]), '2026-03-02T05:59:00Z', false],
    ['over midnight, between', of('UTC', '22:00', '06:00'), '2026-03-02T12:00:00Z', false],
    ['the same start and end is a whole day', of('UTC', '08:00', '08:00', [1]), '2026-03-03T07:59:00Z', true],
    ['and no longer', of('UTC', '08:00', '08:00', [1]), '2026-03-03T08:00:00Z', false],
    // Berlin, 29 March 2026: 02:00 becomes 03:00; 25 October 2026: 03:00 becomes 02:00 again.
    ['an hour that is left out', of('Europe/Berlin', '02:00', '03:00'), '2026-03-29T01:30:00Z', false],
    ['the end after it', of('Europe/Berlin', '01:00', '04:00'), '2026-03-29T01:59:00Z', true],
    ['an hour twice, first', of('Europe/Berlin', '02:00', '03:00'), '2026-10-25T00:30:00Z', true],
    ['an hour twice, second', of('Europe/Berlin', '02:00', '03:00'), '2026-10-25T01:30:00Z', true],
    ['then it is over', of('Europe/Berlin', '02:00', '03:00'), '2026-10-25T02:00:00Z', false],
  ])('%s', (_, schedule, at, expected) => {
    expect(isWithinSchedule(schedule, Date.parse(at))).toBe(expected);
  });

  test.each([
    [{ timezone: 'Mars/Base', windows: [{ days: [1], start: '09:00', end: '10:00' }] }],
    [{ timezone: 'UTC', windows: [] }],
    [{ timezone: 'UTC', windows: [{ days: [], start: '09:00', end: '10:00' }] }],
    [{ timezone: 'UTC', windows: [{ days: [0], start: '09:00', end: '10:00' }] }],
    [{ timezone: 'UTC', windows: [{ days: [1], start: '9:00', end: '10:00' }] }],
    [{ timezone: 'UTC', windows: [{ days: [1], start: '09:00', end: '24:00' }] }],
    [{ timezone: 'UTC' }],
  ])('is refused: %j', (bad) => {
    expect(scheduleSchema.safeParse(bad).success).toBe(false);
  });
});

describe('time zones in unusual letters', () => {
  /** The zone with upper and lower case by the bits of a number. */
  const written = (bits: number) =>
    [...'america/argentina/comodrivadavia']
      .map((letter, at) => (bits & (1 << at) ? letter.toUpperCase() : letter))
      .join('');

  test('do not fill the memory, whatever number of them callers send', () => {
    const first = IANAZone.create(written(0));
    expect(IANAZone.create(written(0))).toBe(first);
    for (let bits = 0; bits <= 2_000; bits++) expect(timezone.safeParse(written(bits)).success).toBe(true);
    expect(IANAZone.create(written(0))).not.toBe(first);
    expect(timezone.safeParse('Mars/Base').success).toBe(false);
  });

  test('of a stored schedule are the same zone', () => {
    const schedule = of('eUROPE/bERLIN', '09:00', '10:00');
    expect(isWithinSchedule(schedule, Date.parse('2026-07-01T07:30:00Z'))).toBe(true);
    expect(isWithinSchedule(schedule, Date.parse('2026-07-01T09:30:00Z'))).toBe(false);
  });

  test('that this machine does not know stay readable where they are stored, and are never inside', () => {
    const schedule = of('Mars/Base', '00:00', '00:00');
    expect(storedSchedule.parse(schedule)).toEqual(schedule);
    expect(isWithinSchedule(schedule, Date.parse('2026-07-01T07:30:00Z'))).toBe(false);
    expect(timezoneOf({ timezone: null, schedule })).toBe('Mars/Base');
  });
});

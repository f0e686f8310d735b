import { describe, expect, test } from '@jest/globals';
import { comparedPeriods, lastEndedDate, localTime } from '../../../src/analytics/reports/period.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const HOUR_MS = 3_600_000;

describe('the periods of a date', () => {
  test.each([
    ['day', '2026-11-23', 'Europe/Berlin', '2026-11-22T23:00:00.000Z', '2026-11-15T23:00:00.000Z', 24],
    // Clocks go back: 25 hours, compared with 24.
    ['day', '2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-17T22:00:00.000Z', 25],
    ['day', '2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-21T23:00:00.000Z', 23],
    // The day begins at 01:00, because midnight does not exist.
    ['day', '2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z', '2026-03-01T05:00:00.000Z', 23],
    ['week', '2026-10-25', 'Europe/Berlin', '2026-10-18T22:00:00.000Z', '2026-10-11T22:00:00.000Z', 169],
    ['week', '2026-10-19', 'Europe/Berlin', '2026-10-18T22:00:00.000Z', '2026-10-11T22:00:00.000Z', 169],
    ['week', '2026-01-01', 'UTC', '2025-12-29T00:00:00.000Z', '2025-12-22T00:00:00.000Z', 168],
    ['day', '2026-06-01', 'Asia/Kathmandu', '2026-05-31T18:15:00.000Z', '2026-05-24T18:15:00.000Z', 24],
  ] as const)('%s %s in %s', (kind, date, timezone, from, before, hours) => {
    const { current, previous } = comparedPeriods(kind, date, timezone)!;
    expect([iso(current.fromMs), iso(previous.fromMs)]).toEqual([from, before]);
    expect(current.hours).toHaveLength(hours);
    expect(current.toMs - current.fromMs).toBe(hours * HOUR_MS);
    expect(current.days).toHaveLength(kind === 'day' ? 1 : 7);
    for (const spans of [current.days, current.hours]) {
      expect([spans[0]!.fromMs, spans.at(-1)!.toMs]).toEqual([current.fromMs, current.toMs]);
      expect(spans.slice(1).map(({ fromMs }) => fromMs)).toEqual(spans.slice(0, -1).map(({ toMs }) => toMs));
    }
  });

  test('a date that a zone skipped has no day', () => {
    expect(comparedPeriods('day', '2011-12-30', 'Pacific/Apia')).toBeNull();
    // Its week has six days.
    expect(comparedPeriods('week', '2011-12-31', 'Pacific/Apia')!.current.days).toHaveLength(6);
  });

  test('a repeated hour has both offsets', () => {
    const { current } = comparedPeriods('day', '2026-10-25', 'Europe/Berlin')!;
    expect(current.hours.slice(1, 4).map(({ fromMs }) => localTime(fromMs, 'Europe/Berlin'))).toEqual([
      '2026-10-25T01:00:00+02:00',
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
    ]);
  });
});

test('the last period that has ended is yesterday, or the week before, by the clock of the zone', () => {
  const now = Date.parse('2026-11-22T23:30:00Z');
  expect([lastEndedDate('day', now, 'UTC'), lastEndedDate('day', now, 'Europe/Berlin')]).toEqual([
    '2026-11-21',
    '2026-11-22',
  ]);
  // A Monday in Berlin, still a Sunday in London.
  const startOf = (timezone: string) =>
    comparedPeriods('week', lastEndedDate('week', now, timezone), timezone)!.current.date;
  expect([startOf('Europe/Berlin'), startOf('Europe/London')]).toEqual(['2026-11-16', '2026-11-09']);
});

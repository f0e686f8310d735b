import { describe, expect, test } from '@jest/globals';
import { changePercent, comparable, totalsOf } from '../../../src/page/history/totals.ts';
import {
  cellTable,
  hourNames,
  LEVELS,
  perHour,
  weekdayNames,
} from '../../../src/page/history/week/week-cells.ts';

const bucket = (at: number) => ({
  fromMs: at * 100,
  toMs: at * 100 + 100,
  coveragePercent: 100,
  isAhead: false,
});
const buckets = [0, 1, 2, 3].map(bucket);
const columns = {
  arrivals: [1, 2, null, 4],
  completed: [1, 1, null, 2],
  abandoned: [0, 1, null, 1],
  avgInQueue: [2, 4, null, 10],
  coveragePercent: [100, 50, 0, 0],
};

describe('totals of a range', () => {
  test('add what was measured and weigh the queue by the time with frames', () => {
    expect(totalsOf(columns, buckets)).toEqual({
      ...{ arrivals: 7, completed: 4, abandoned: 2, abandonmentRate: 2 / 6 },
      avgInQueue: (2 * 100 + 4 * 50) / 150,
    });
  });

  test('of a site with a camera that never runs weigh all times alike', () => {
    expect(totalsOf({ ...columns, coveragePercent: [0, 0, 0, 0] }, buckets).avgInQueue).toBeCloseTo(16 / 3);
  });

  test('of nothing measured are null, never 0', () => {
    expect(totalsOf(columns, buckets, [2])).toEqual({
      ...{ arrivals: null, completed: null, abandoned: null, abandonmentRate: null, avgInQueue: null },
    });
  });

  test('are compared over ended buckets with a counterpart', () => {
    expect(comparable(buckets, [0, null, 5, 6], 300)).toEqual({ now: [0, 2], before: [0, 5] });
  });

  test.each([
    [12, 10, 20],
    [null, 10, null],
    [3, null, null],
    [3, 0, null],
    [0, 4, -100],
  ])('a change from %p to %p is %p', (now, before, percent) => {
    expect(changePercent(now, before)).toBe(percent);
  });
});

describe('a heat map', () => {
  const week = <Value>(cell: (day: number, hour: number) => Value) =>
    Array.from({ length: 7 }, (_, day) => Array.from({ length: 24 }, (__, hour) => cell(day, hour)));

  test('leaves out hours of the night, and has levels and poor cells', () => {
    const values = week((day, hour) => (hour < 9 || hour > 20 ? null : day === 0 && hour === 9 ? 12 : 3));
    const coverage = week((_, hour) => (hour === 10 ? 40 : 100));
    const { hours, days } = cellTable(values, coverage);
    expect([hours[0], hours.at(-1), days.length, days[0]!.length]).toEqual([9, 20, 7, 12]);
    expect(days[0]![0]).toEqual({ day: 0, hour: 9, value: 12, level: LEVELS - 1, isPoor: false });
    expect(days[1]![1]).toEqual({ day: 1, hour: 10, value: 3, level: 1, isPoor: true });
  });

  test('without any value has all hours and no level', () => {
    const { hours, days } = cellTable(
      week(() => null),
      week(() => 0),
    );
    expect(hours).toHaveLength(24);
    expect(days.flat().every(({ level, isPoor }) => level === null && !isPoor)).toBe(true);
  });

  test('of zeros has the lowest level', () => {
    const table = cellTable(
      week(() => 0),
      week(() => 100),
    );
    expect(new Set(table.days.flat().map(({ level }) => level))).toEqual(new Set([0]));
  });

  test('shows counts per hour, because cells have different numbers of hours', () => {
    const values = week((day) => (day === 0 ? 8 : day === 1 ? 6 : null));
    const rates = perHour(
      values,
      week((day) => (day === 0 ? 4 : 0)),
    );
    expect([rates[0]![0], rates[1]![0], rates[2]![0]]).toEqual([2, null, null]);
  });

  test('names days and hours in the language of the reader', () => {
    expect(weekdayNames('de', 'short')[0]).toBe('Mo');
    expect(weekdayNames('en', 'long')[6]).toBe('Sunday');
    expect(hourNames('en-US')[14]).toMatch(/^2\sPM$/);
  });
});

import { describe, expect, test } from '@jest/globals';
import { type ForecastInput, forecast } from '../../src/billing/forecast.ts';

const [start, end] = [new Date('2025-11-01T00:00:00.000Z'), new Date('2025-12-01T00:00:00.000Z')];
const DAY_MS = 86_400_000;
const WEEKDAYS = [100, 100, 110, 120, 160, 240, 20];

/** Noise of ±5 %, always the same. */
const noise = (day: number) => 1 + 0.05 * Math.sin(day * 12.9898);
const SHAPES = {
  flat: (day: number) => 100 * noise(day),
  weekly: (day: number) => WEEKDAYS[((day % 7) + 7) % 7]! * noise(day),
  growing: (day: number) => (100 + 2 * (day + 40)) * noise(day),
  'weekly and growing': (day: number) => WEEKDAYS[((day % 7) + 7) % 7]! * (1 + (day + 40) / 60) * noise(day),
};

/** The month as it is known after so many whole days, days counted from its first; `since` the first day of use. */
function known(usage: (day: number) => number, elapsed: number, since = -40): ForecastInput {
  const dayBefore = Math.floor(elapsed);
  const days = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, at) => usage(from + at));
  const today = usage(dayBefore) * (elapsed - dayBefore);
  const usedToDate = Math.round(days(0, dayBefore).reduce((sum, value) => sum + value, today));
  const now = new Date(start.getTime() + elapsed * DAY_MS);
  return { now, start, end, usedToDate, limit: null, history: days(since, dayBefore), today };
}

const trueTotal = (usage: (day: number) => number) =>
  Array.from({ length: 30 }, (_, day) => usage(day)).reduce((sum, value) => sum + value, 0);
const straightLine = ({ usedToDate }: ForecastInput, elapsed: number) => (usedToDate / elapsed) * 30;

/** Mean share by which the month was missed, foretold on its days 3, 5, … 27. */
function meanErrors(usage: (day: number) => number): { ours: number; line: number; held: number } {
  const total = trueTotal(usage);
  const asked = Array.from({ length: 13 }, (_, at) => 3.5 + at * 2);
  const rows = asked.map((elapsed) => {
    const input = known(usage, elapsed);
    const { projected, lowerBound, upperBound } = forecast(input);
    return {
      ours: Math.abs(projected - total) / total,
      line: Math.abs(straightLine(input, elapsed) - total) / total,
      held: lowerBound! <= total && total <= upperBound! ? 1 : 0,
    };
  });
  const mean = (name: 'ours' | 'line' | 'held') =>
    rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
  return { ours: mean('ours'), line: mean('line'), held: mean('held') };
}

describe('the forecast of a held-back month', () => {
  test.each([
    ['flat', 0.01],
    ['weekly', 0.01],
    ['growing', 0.03],
    ['weekly and growing', 0.03],
  ] as const)('%s: its mean error is small', (name, most) => {
    const { ours, held } = meanErrors(SHAPES[name]);
    expect(ours).toBeLessThan(most);
    expect(held).toBeGreaterThanOrEqual(0.5);
  });

  test.each(['weekly', 'growing', 'weekly and growing'] as const)(
    '%s: well below the straight line’s',
    (name) => {
      const { ours, line } = meanErrors(SHAPES[name]);
      expect(ours).toBeLessThan(line / 2);
      expect(forecast(known(SHAPES[name], 10)).method).toBe('weekly_seasonal');
    },
  );

  test('without a pattern it is the straight line', () => {
    const random = (day: number) => 100 + 60 * Math.sin(day * day * 78.233);
    expect(forecast(known(random, 10)).method).toBe('straight_line');
    expect(forecast(known(() => 100, 10.5)).projected).toBe(3000);
  });
});

describe('with little to go by', () => {
  test('two weeks of a pattern are enough, ten days are not', () => {
    expect(forecast(known(SHAPES.weekly, 14, 0)).method).toBe('weekly_seasonal');
    expect(forecast(known(SHAPES.weekly, 10, 0)).method).toBe('straight_line');
  });

  test('before three whole days there are no bounds', () => {
    expect(forecast(known(() => 50, 2.5, 0))).toMatchObject({
      projected: 1500,
      lowerBound: null,
      upperBound: null,
    });
  });

  test('nothing used is nothing foretold', () => {
    const nothing = { history: [], today: 0, usedToDate: 0, limit: 10 };
    const foreseen = forecast({ ...known(() => 0, 12.5), ...nothing });
    expect(foreseen).toMatchObject({ usedToDate: 0, projected: 0, projectedExceedAt: null });
  });

  test('the first minutes of a first day are not taken for its rate', () => {
    const input = { ...known(() => 0, 0.01), history: [], today: 600, usedToDate: 600 };
    expect(forecast(input).projected).toBe(600);
  });
});

describe('the limit', () => {
  test('is reached when the line meets it, to the hour', () => {
    const { projectedExceedAt } = forecast({ ...known(() => 100, 10), limit: 1250 });
    expect(projectedExceedAt?.toISOString()).toBe('2025-11-13T12:00:00.000Z');
  });

  test('is reached already, is not reached, or is none', () => {
    const input = known(() => 100, 10);
    expect(forecast({ ...input, limit: 1000 }).projectedExceedAt).toEqual(input.now);
    expect(forecast({ ...input, limit: 3001 }).projectedExceedAt).toBeNull();
    expect(forecast(input).projectedExceedAt).toBeNull();
  });
});

test('a month that is over is known; one to come is foretold whole', () => {
  const now = new Date('2025-12-03T12:00:00.000Z');
  const over = forecast({ ...known(() => 100, 30), now });
  expect(over).toMatchObject({ usedToDate: 3000, projected: 3000, lowerBound: 3000, upperBound: 3000 });
  const next = { start: end, end: new Date('2026-01-01T00:00:00.000Z'), usedToDate: 0 };
  expect(forecast({ ...known(() => 100, 10), ...next }).projected).toBe(3100);
});

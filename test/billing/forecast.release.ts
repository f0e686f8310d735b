import { describe, expect, test } from '@jest/globals';
import { type ForecastInput, forecast } from '../../src/billing/forecast/forecast.ts';

const [start, end] = [new Date('2025-11-01T00:00:00.000Z'), new Date('2025-12-01T00:00:00.000Z')];
const DAY_MS = 86_400_000;
const WEEKDAYS = [100, 100, 110, 120, 160, 240, 20];

/** Reproducible random numbers. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Days with normally distributed deviations from their means. */
function deviations(seed: number): () => number {
  const next = random(seed);
  for (let times = 0; times < 10; times++) next();
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

const weekday = (day: number) => WEEKDAYS[((day % 7) + 7) % 7]!;
const SHAPES = {
  flat: () => 100,
  weekly: weekday,
  growing: (day: number) => 100 + 2 * (day + 60),
  'weekly and growing': (day: number) => weekday(day) * (1 + (day + 60) / 60),
};

/** The input after so many whole days of the month; `since` is the first day with usage, relative to its start. */
function known(usage: (day: number) => number, elapsed: number, since = -60): ForecastInput {
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

const MONTHS = 40;

/**
 * Forecasts many months of one shape after five of their days. Returns mean errors as shares of the month, and the
 * share of months within the bounds.
 */
function foretold(shape: (day: number) => number, { spread, alike }: { spread: number; alike: number }) {
  const rows = Array.from({ length: MONTHS }, (_, month) => {
    const next = deviations(month);
    let deviation = 0;
    const days = Array.from({ length: 90 }, (__, at) => {
      deviation = alike * deviation + Math.sqrt(1 - alike ** 2) * next();
      return Math.max(0, shape(at - 60) * (1 + spread * deviation));
    });
    const usage = (day: number) => days[day + 60]!;
    const total = trueTotal(usage);
    return [3.5, 8.5, 13.5, 18.5, 23.5].map((elapsed) => {
      const input = known(usage, elapsed);
      const { projected, lowerBound, upperBound } = forecast(input);
      return {
        ours: Math.abs(projected - total) / total,
        line: Math.abs(straightLine(input, elapsed) - total) / total,
        held: lowerBound! <= total && total <= upperBound! ? 1 : 0,
      };
    });
  }).flat();
  const mean = (name: 'ours' | 'line' | 'held') =>
    rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
  return { ours: mean('ours'), line: mean('line'), held: mean('held') };
}

describe('forecasts of synthetic months', () => {
  // Mean errors in percent at these spreads: ours, and that of a straight line through the month.
  test.each([
    ['flat', 0.05, 0.8, 1],
    ['flat', 0.15, 2.4, 1],
    ['flat', 0.3, 4.6, 1],
    ['weekly', 0.05, 0.9, 0.3],
    ['weekly', 0.15, 2.7, 0.6],
    ['weekly', 0.3, 5.4, 0.85],
    ['growing', 0.05, 1.1, 0.3],
    ['growing', 0.15, 3, 0.6],
    ['growing', 0.3, 5.8, 0.85],
    ['weekly and growing', 0.05, 1.3, 0.3],
    ['weekly and growing', 0.15, 3.3, 0.6],
    ['weekly and growing', 0.3, 7, 0.85],
  ] as const)(
    '%s with a daily spread of %f: at most %f %% error, at most %f of the straight line’s error',
    (name, spread, most, ofLine) => {
      const { ours, line, held } = foretold(SHAPES[name], { spread, alike: 0 });
      expect(ours * 100).toBeLessThan(most);
      expect(ours).toBeLessThan(line * ofLine);
      // 80 % should lie within the bounds; 200 months measure that to about 0.05.
      expect(held).toBeGreaterThan(0.72);
      if (!(name === 'weekly and growing' && spread === 0.05)) expect(held).toBeLessThan(0.94);
    },
  );

  test.each(['flat', 'weekly', 'growing', 'weekly and growing'] as const)(
    '%s with autocorrelated days: the bounds still hold',
    (name) => {
      const { ours, line, held } = foretold(SHAPES[name], { spread: 0.15, alike: 0.5 });
      // Without a pattern no model is better than the line.
      expect(ours).toBeLessThan(name === 'flat' ? line * 1.05 : line);
      expect(held).toBeGreaterThan(0.68);
      expect(held).toBeLessThan(0.93);
    },
  );

  test('the method of a forecast', () => {
    const noisy = (shape: (day: number) => number) => (day: number) =>
      shape(day) * (1 + 0.05 * Math.sin(day * day * 78.233));
    expect(forecast(known(noisy(SHAPES.weekly), 10)).method).toBe('weekly_seasonal');
    expect(forecast(known(noisy(SHAPES.growing), 10)).method).toBe('linear_trend');
    expect(forecast(known(noisy(SHAPES['weekly and growing']), 10)).method).toBe('weekly_seasonal');
  });

  test('without a pattern the method is the straight line in 95 % of the months', () => {
    const methods = Array.from({ length: 100 }, (_, month) => {
      const next = deviations(month);
      const days = Array.from({ length: 90 }, () => Math.max(0, 100 + 30 * next()));
      return forecast(known((day) => days[day + 60]!, 10)).method;
    });
    expect(methods.filter((method) => method === 'straight_line').length).toBeGreaterThan(88);
    expect(forecast(known(() => 100, 10.5)).projected).toBe(3000);
  });
});

describe('a forecast from few days', () => {
  test('two weeks of a pattern are enough to find it, ten days are not', () => {
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

  test('without usage the forecast is 0', () => {
    const nothing = { history: [], today: 0, usedToDate: 0, limit: 10 };
    const foreseen = forecast({ ...known(() => 0, 12.5), ...nothing });
    expect(foreseen).toMatchObject({ usedToDate: 0, projected: 0, projectedExceedAt: null });
  });

  test('the first minutes of a first day do not decide its rate', () => {
    const input = { ...known(() => 0, 0.01), history: [], today: 600, usedToDate: 600 };
    expect(forecast(input).projected).toBe(600);
  });
});

describe('the limit of a forecast', () => {
  test('the forecast limit is reached when the line meets it, to the hour', () => {
    const { projectedExceedAt } = forecast({ ...known(() => 100, 10), limit: 1250 });
    expect(projectedExceedAt?.toISOString()).toBe('2025-11-13T12:00:00.000Z');
  });

  test('a forecast limit may be reached already, not be reached, or not exist', () => {
    const input = known(() => 100, 10);
    expect(forecast({ ...input, limit: 1000 }).projectedExceedAt).toEqual(input.now);
    expect(forecast({ ...input, limit: 3001 }).projectedExceedAt).toBeNull();
    expect(forecast(input).projectedExceedAt).toBeNull();
  });
});

test('a past month is known exactly; a future month is forecast as a whole', () => {
  const now = new Date('2025-12-03T12:00:00.000Z');
  const over = forecast({ ...known(() => 100, 30), now });
  expect(over).toMatchObject({ usedToDate: 3000, projected: 3000, lowerBound: 3000, upperBound: 3000 });
  const next = { start: end, end: new Date('2026-01-01T00:00:00.000Z'), usedToDate: 0 };
  expect(forecast({ ...known(() => 100, 10), ...next }).projected).toBe(3100);
});

import { type Fit, leastSquares } from './least-squares.ts';

export type ForecastMethod = 'straight_line' | 'linear_trend' | 'weekly_seasonal';

/** A part of a future day. `ahead` is 1 for the day after the last day of the history. */
export interface DayPart {
  readonly ahead: number;
  /** 0-1 of a whole day. */
  readonly part: number;
}

/** A model of the usage of one day, fitted to whole days. */
export interface DayModel {
  readonly method: ForecastMethod;
  /** Expected usage of a whole day. */
  usageOf(ahead: number): number;
  /** Half the width of the 80 % prediction interval of the sum of these days. */
  marginOf(days: readonly DayPart[]): number;
}

const WEEK = 7;
/** With fewer days a slope would follow a few unusual days. */
const TREND_DAYS = 21;
/** 80 % of a normal distribution lie within so many standard deviations. */
const FOUR_OF_FIVE = 1.2816;
/** Upper bound of the autocorrelation of neighbouring days: two months of days do not show more. */
const MOST_ALIKE = 0.8;

interface Shape {
  readonly method: ForecastMethod;
  readonly size: number;
  readonly leastDays: number;
  /** The regression terms of a day; day 0 is the first day of the history. */
  terms(day: number, days: number): number[];
}

const level = (): number[] => [1];
/** Runs from 0 to 1, so that the terms have similar sizes. */
const slope = (day: number, days: number): number[] => [day / days];
const weekday = (day: number): number[] =>
  Array.from({ length: WEEK - 1 }, (_, at) => (day % WEEK === at + 1 ? 1 : 0));

const SHAPES: readonly Shape[] = [
  { method: 'straight_line', size: 1, leastDays: 3, terms: level },
  {
    ...{ method: 'linear_trend', size: 2, leastDays: TREND_DAYS },
    terms: (day, days) => [...level(), ...slope(day, days)],
  },
  {
    ...{ method: 'weekly_seasonal', size: 7, leastDays: 2 * WEEK },
    terms: (day) => [...level(), ...weekday(day)],
  },
  {
    ...{ method: 'weekly_seasonal', size: 8, leastDays: TREND_DAYS },
    terms: (day, days) => [...level(), ...slope(day, days), ...weekday(day)],
  },
];

/**
 * Fits four models: the mean day, a line through the days, a mean for each weekday, and weekdays on a line. Chooses the
 * one with the least Bayesian information criterion, so that each further term must explain more than chance would.
 * @param history whole days, the last one is yesterday
 * @returns null for fewer than three days
 */
export function learnDays(history: readonly number[]): DayModel | null {
  const days = history.length;
  const fits = SHAPES.filter(({ leastDays }) => days >= leastDays).map((shape) => {
    const rows = history.map((_, day) => shape.terms(day, days));
    return { shape, fit: leastSquares(rows, history) };
  });
  // Below this both fits are perfect, and the simpler one is chosen.
  const nothing = 1e-9 * (1 + history.reduce((sum, value) => sum + value ** 2, 0));
  const criterion = ({ shape, fit }: (typeof fits)[number]) =>
    days * Math.log((fit.rss + nothing) / days) + shape.size * Math.log(days);
  const [best] = fits.toSorted((a, b) => criterion(a) - criterion(b));
  if (!best) return null;
  const { shape, fit } = best;
  const termsOf = (ahead: number) => shape.terms(days - 1 + ahead, days);
  return {
    method: shape.method,
    usageOf: (ahead) => Math.max(0, fit.predict(termsOf(ahead))),
    marginOf(parts) {
      const freedom = days - shape.size;
      const noise = parts.reduce((sum, { part }) => sum + part, 0);
      const all = Array.from({ length: shape.size }, (_, term) =>
        parts.reduce((sum, { ahead, part }) => sum + part * termsOf(ahead)[term]!, 0),
      );
      const variance = (fit.rss / freedom) * (noise + fit.leverage(all)) * runLength(fit);
      // The error grows in proportion to the usage.
      const level = history.reduce((sum, value) => sum + value, 0) / days;
      const growth = noise === 0 || level === 0 ? 1 : fit.predict(all) / noise / level;
      return studentFactor(freedom) * Math.sqrt(variance) * Math.max(1, growth);
    },
  };
}

/** The factor by which the autocorrelation of neighbouring days increases the variance of a sum of days. */
function runLength({ residuals, rss }: Fit): number {
  if (rss === 0) return 1;
  const products = residuals.slice(1).map((residual, at) => residual * residuals[at]!);
  const seen = products.reduce((sum, product) => sum + product, 0) / rss;
  // Kendall's correction: from few days the estimate is too small.
  const alike = Math.max(0, Math.min(MOST_ALIKE, seen + (1 + 3 * seen) / residuals.length));
  return (1 + alike) / (1 - alike);
}

/** Quantile of Student's t distribution, by its expansion around the normal one. Fewer days give a wider interval. */
function studentFactor(freedom: number): number {
  const z = FOUR_OF_FIVE;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  return z + first / freedom + second / freedom ** 2;
}

import { dot, type Fit, leastSquares } from './least-squares.ts';

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
  readonly leastDays: number;
  readonly terms: readonly Term[];
}
/** A regression term of a day; day 0 is the first day of the history. */
type Term = (day: number, days: number) => number;

const level: Term = () => 1;
/** Runs from 0 to 1, so that the terms have similar sizes. */
const slope: Term = (day, days) => day / days;
const weekdays = Array.from(
  { length: WEEK - 1 },
  (_, at): Term =>
    (day) =>
      day % WEEK === at + 1 ? 1 : 0,
);

const SHAPES: readonly Shape[] = [
  { method: 'straight_line', leastDays: 3, terms: [level] },
  { method: 'linear_trend', leastDays: TREND_DAYS, terms: [level, slope] },
  { method: 'weekly_seasonal', leastDays: 2 * WEEK, terms: [level, ...weekdays] },
  { method: 'weekly_seasonal', leastDays: TREND_DAYS, terms: [level, slope, ...weekdays] },
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
    const terms = shape.terms.map((term) => (day: number) => term(day, days));
    return { method: shape.method, terms, fit: leastSquares(terms, history) };
  });
  // Below this both fits are perfect, and the simpler one is chosen.
  const nothing = 1e-9 * (1 + history.reduce((sum, value) => sum + value ** 2, 0));
  const criterion = ({ terms, fit }: (typeof fits)[number]) =>
    days * Math.log((fit.rss + nothing) / days) + terms.length * Math.log(days);
  const [best] = fits.toSorted((a, b) => criterion(a) - criterion(b));
  if (!best) return null;
  const { method, terms, fit } = best;
  const dayOf = (ahead: number) => days - 1 + ahead;
  return {
    method,
    usageOf: (ahead) => Math.max(0, fit.predict(terms.map((term) => term(dayOf(ahead))))),
    marginOf(parts) {
      const freedom = days - terms.length;
      const noise = parts.reduce((sum, { part }) => sum + part, 0);
      const all = terms.map((term) =>
        parts.reduce((sum, { ahead, part }) => sum + part * term(dayOf(ahead)), 0),
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
  const seen = dot(residuals.slice(1), residuals.slice(0, -1)) / rss;
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

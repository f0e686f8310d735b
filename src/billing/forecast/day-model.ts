import { type Fit, leastSquares } from './least-squares.ts';

export type ForecastMethod = 'straight_line' | 'linear_trend' | 'weekly_seasonal';

/** A part of a day to come: `ahead` 1 is the day after the last one learned from. */
export interface DayPart {
  readonly ahead: number;
  /** 0-1 of a whole day. */
  readonly part: number;
}

/** What days are like, learned from whole days. */
export interface DayModel {
  readonly method: ForecastMethod;
  /** Usage of a whole day. */
  usageOf(ahead: number): number;
  /** How far the sum of these days may be off, up or down, in four of five cases. */
  marginOf(days: readonly DayPart[]): number;
}

const WEEK = 7;
/** A slope of less is that of a few odd days. */
const TREND_DAYS = 21;
/** Of the normal distribution: four of five lie within so many standard deviations. */
const FOUR_OF_FIVE = 1.2816;
/** Days that follow each other are alike at most so much: more cannot be told from two months. */
const MOST_ALIKE = 0.8;

interface Shape {
  readonly method: ForecastMethod;
  readonly size: number;
  readonly leastDays: number;
  /** Terms of a day, counted from the first one that is learned from. */
  terms(day: number, days: number): number[];
}

const level = (): number[] => [1];
/** Runs from 0 to 1, so that no term is much larger than the others. */
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
 * Fits the mean day, the line through the days, the mean of each weekday, and weekdays upon a line, and takes the one
 * whose terms earn their place (the least Bayesian information criterion: a term must explain more than chance would).
 * @param history whole days, the last one yesterday
 * @returns null for fewer than three days
 */
export function learnDays(history: readonly number[]): DayModel | null {
  const days = history.length;
  const fits = SHAPES.filter(({ leastDays }) => days >= leastDays).map((shape) => {
    const rows = history.map((_, day) => shape.terms(day, days));
    return { shape, fit: leastSquares(rows, history) };
  });
  // Below this two fits are equally perfect, and the simpler one is taken.
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
      // Twice as much usage strays twice as far.
      const level = history.reduce((sum, value) => sum + value, 0) / days;
      const growth = noise === 0 || level === 0 ? 1 : fit.predict(all) / noise / level;
      return studentFactor(freedom) * Math.sqrt(variance) * Math.max(1, growth);
    },
  };
}

/** By how much days that are alike make a sum of them stray more than as many days by themselves would. */
function runLength({ residuals, rss }: Fit): number {
  if (rss === 0) return 1;
  const products = residuals.slice(1).map((residual, at) => residual * residuals[at]!);
  const seen = products.reduce((sum, product) => sum + product, 0) / rss;
  // Out of few days it comes out too small (Kendall's correction).
  const alike = Math.max(0, Math.min(MOST_ALIKE, seen + (1 + 3 * seen) / residuals.length));
  return (1 + alike) / (1 - alike);
}

/** Student's distribution by its expansion around the normal one: the fewer days were seen, the less is known of their spread. */
function studentFactor(freedom: number): number {
  const z = FOUR_OF_FIVE;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  return z + first / freedom + second / freedom ** 2;
}

import { addDays, dayOf, daysBetween } from '../period.ts';
import { type DayModel, type ForecastMethod, learnDays } from './day-model.ts';

/**
 * The forecast of a month: the usage so far, plus what a linear model of the past days expects of each day to come:
 * - `straight_line`: the mean day;
 * - `linear_trend`: a line through the days;
 * - `weekly_seasonal`: a mean for each weekday, on a line where there is a trend.
 * The bounds are the 80 % prediction interval of the model. It covers the spread of the days, the uncertainty of the
 * fit and the autocorrelation of neighbouring days.
 */
export interface Forecast {
  readonly method: ForecastMethod;
  readonly usedToDate: number;
  readonly projected: number;
  /** Null with fewer than three whole days of history. */
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  /**
   * When the limit will be reached within the month; `now` where it is reached already; null where it will not be
   * reached.
   */
  readonly projectedExceedAt: Date | null;
}

export interface ForecastInput {
  readonly now: Date;
  /** The month is `[start, end)`. */
  readonly start: Date;
  readonly end: Date;
  readonly usedToDate: number;
  /** Null means unlimited. */
  readonly limit: number | null;
  /** Usage of each whole day from the first day with usage to yesterday. */
  readonly history: readonly number[];
  /** Usage of today so far. */
  readonly today: number;
}

/** The model uses at most so many past days. */
export const HISTORY_DAYS = 56;

export function forecast(input: ForecastInput): Forecast {
  const { now, end, usedToDate, limit, history } = input;
  const learned = learnDays(history.slice(-HISTORY_DAYS));
  const model = learned ?? rateSoFar(input);
  const days = daysToCome(input).map(({ from, to, ahead }) => {
    const part = daysBetween(from, to);
    return { from, to, ahead, part, usage: model.usageOf(ahead) * part };
  });
  const projected = usedToDate + sum(days.map(({ usage }) => usage));
  // The usage of a past month is known exactly.
  const margin = now >= end ? 0 : learned ? learned.marginOf(days) : null;
  return {
    method: model.method,
    usedToDate,
    projected: Math.round(projected),
    lowerBound: margin === null ? null : Math.max(usedToDate, Math.round(projected - margin)),
    upperBound: margin === null ? null : Math.round(projected + margin),
    projectedExceedAt: limit === null ? null : reachedAt(days, { usedToDate, limit, now }),
  };
}

/** With fewer than three whole days: the mean rate of these days and of today. */
function rateSoFar({ history, now, today }: ForecastInput): Pick<DayModel, 'method' | 'usageOf'> {
  const days = history.length + daysBetween(dayOf(now), now);
  // A day of less than an hour says nothing about the rate.
  const perDay = days < 1 / 24 ? 0 : (sum(history) + today) / days;
  return { method: 'straight_line', usageOf: () => perDay };
}

/** The rest of today and every later day of the month. `ahead` is 1 for today. */
function daysToCome({ now, start, end }: ForecastInput): { from: Date; to: Date; ahead: number }[] {
  const today = dayOf(now);
  const days = [];
  for (let from = now > start ? now : start; from < end; ) {
    const to = addDays(dayOf(from), 1);
    days.push({ from, to, ahead: daysBetween(today, dayOf(from)) + 1 });
    from = to;
  }
  return days;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function reachedAt(
  days: readonly { from: Date; to: Date; usage: number }[],
  { usedToDate, limit, now }: { usedToDate: number; limit: number; now: Date },
): Date | null {
  let used = usedToDate;
  if (used >= limit) return now;
  for (const { from, to, usage } of days) {
    if (used + usage >= limit) {
      const part = (limit - used) / usage;
      return new Date(from.getTime() + Math.ceil((to.getTime() - from.getTime()) * part));
    }
    used += usage;
  }
  return null;
}

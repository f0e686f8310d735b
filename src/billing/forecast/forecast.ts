import { addDays, dayOf, daysBetween } from '../period.ts';
import { type DayModel, type ForecastMethod, learnDays } from './day-model.ts';

/**
 * What a month will come to: what was used, and for each day to come what a linear model of the days so far says of it:
 * - `straight_line`: the mean day;
 * - `linear_trend`: the line through the days;
 * - `weekly_seasonal`: the mean of its weekday, upon a line where there is one.
 * The bounds are the model's own 80 % prediction interval: the days' spread around it, what it may have learned wrongly,
 * and that neighbouring days are alike.
 */
export interface Forecast {
  readonly method: ForecastMethod;
  readonly usedToDate: number;
  readonly projected: number;
  /** Null with fewer than three whole days to learn from. */
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  /** When the limit will be reached within the month, `now` where it is already; null: it will not. */
  readonly projectedExceedAt: Date | null;
}

export interface ForecastInput {
  readonly now: Date;
  /** The month, `[start, end)`. */
  readonly start: Date;
  readonly end: Date;
  readonly usedToDate: number;
  /** Null: unlimited. */
  readonly limit: number | null;
  /** Usage of one whole day after the other, the last one yesterday; begins with the first day of any usage. */
  readonly history: readonly number[];
  /** Usage of today so far. */
  readonly today: number;
}

/** As far back as anything is learned from. */
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
  // A month that is over is known.
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

/** With fewer than three whole days: their rate and today's. */
function rateSoFar({ history, now, today }: ForecastInput): Pick<DayModel, 'method' | 'usageOf'> {
  const days = history.length + daysBetween(dayOf(now), now);
  // A day that has hardly begun says nothing of its rate.
  const perDay = days < 1 / 24 ? 0 : (sum(history) + today) / days;
  return { method: 'straight_line', usageOf: () => perDay };
}

/** The rest of today and every day until the month's end; `ahead` 1 is today. */
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

import { addDays, dayOf, daysBetween } from './period.ts';

/**
 * What a month will come to. Two methods:
 * - `straight_line`: every day to come is like the mean day of the last four weeks.
 * - `weekly_seasonal`: every day to come is like the mean of its weekday, carried on with the growth from week to week;
 *   taken where it would have foretold the last whole week at least a tenth better than the straight line.
 * The bounds hold about four months in five: the spread of days around the method, and of the method itself.
 */
export interface Forecast {
  readonly method: 'straight_line' | 'weekly_seasonal';
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
const WEEK = 7;
const LINE_DAYS = 28;
/** A week: steeper is a beginning, not a trend. */
const MAX_GROWTH = 0.25;
/** Standard deviations that hold four of five. */
const FOUR_OF_FIVE = 1.28;

/** Usage of the day that many days after the last one of the history (from 1). */
type Model = (daysAhead: number) => number;

export function forecast(input: ForecastInput): Forecast {
  const { now, end, usedToDate, limit, history } = input;
  const method = showsWeeks(history) ? 'weekly_seasonal' : 'straight_line';
  const model = method === 'weekly_seasonal' ? weeklySeasonal(history) : straightLine(history, input);
  const days = daysToCome(input).map(({ from, to, ahead }) => {
    const part = daysBetween(from, to);
    return { from, to, part, usage: model(ahead) * part };
  });
  const projected = usedToDate + sum(days.map(({ usage }) => usage));
  // A month that is over is known.
  const spread = now >= end ? 0 : spreadOf(history, method);
  const toCome = sum(days.map(({ part }) => part));
  // Each day strays by itself, and the mean that was learned strays for all of them alike.
  const learned = Math.min(LINE_DAYS, history.length);
  const margin = FOUR_OF_FIVE * (spread ?? 0) * Math.sqrt(toCome + toCome ** 2 / Math.max(1, learned));
  return {
    method,
    usedToDate,
    projected: Math.round(projected),
    lowerBound: spread === null ? null : Math.max(usedToDate, Math.round(projected - margin)),
    upperBound: spread === null ? null : Math.round(projected + margin),
    projectedExceedAt: limit === null ? null : reachedAt(days, { usedToDate, limit, now }),
  };
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
const mean = (values: readonly number[]) => (values.length === 0 ? 0 : sum(values) / values.length);

function straightLine(
  history: readonly number[],
  { now, today }: Pick<ForecastInput, 'now' | 'today'>,
): Model {
  const recent = history.slice(-LINE_DAYS);
  const days = recent.length + daysBetween(dayOf(now), now);
  // A day that has hardly begun says nothing of its rate.
  const perDay = days < 1 / 24 ? 0 : (sum(recent) + today) / days;
  return () => perDay;
}

/** Mean of each weekday over the whole weeks, carried on with the growth from week to week. */
function weeklySeasonal(history: readonly number[]): Model {
  const weeks = wholeWeeks(history);
  const totals = weeks.map(sum);
  const growth = growthOf(totals);
  const profile = Array.from({ length: WEEK }, (_, day) =>
    mean(weeks.map((week, at) => share(week[day]!, totals[at]!))),
  );
  // The last week as the line through all weeks has it: a single odd week weighs less.
  const perWeek = growth * mean(totals);
  const lastWeek = mean(totals) + (perWeek * (weeks.length - 1)) / 2;
  return (daysAhead) => {
    const weeksAhead = Math.floor((daysAhead - 1) / WEEK) + 1;
    return Math.max(0, lastWeek + perWeek * weeksAhead) * profile[(daysAhead - 1) % WEEK]!;
  };
}

const share = (part: number, whole: number) => (whole === 0 ? 1 / WEEK : part / whole);

/** The newest whole weeks, each from the weekday after the last day's. */
function wholeWeeks(history: readonly number[]): number[][] {
  const weeks = Math.floor(history.length / WEEK);
  const from = history.length - weeks * WEEK;
  return Array.from({ length: weeks }, (_, at) => history.slice(from + at * WEEK, from + (at + 1) * WEEK));
}

/** Slope of the weeks' totals, as a share of their mean; 0 for fewer than three: two make no trend. */
function growthOf(totals: readonly number[]): number {
  const level = mean(totals);
  if (totals.length < 3 || level === 0) return 0;
  const middle = (totals.length - 1) / 2;
  const slope =
    sum(totals.map((total, at) => (at - middle) * (total - level))) /
    sum(totals.map((_, at) => (at - middle) ** 2));
  return Math.max(-MAX_GROWTH, Math.min(MAX_GROWTH, slope / level));
}

/** Whether the weeks before the last would have foretold it better by weekday than by the mean day. */
function showsWeeks(history: readonly number[]): boolean {
  if (history.length < 2 * WEEK) return false;
  const [before, last] = [history.slice(0, -WEEK), history.slice(-WEEK)];
  const missOf = (model: Model) => sum(last.map((value, at) => Math.abs(value - model(at + 1))));
  const perDay = mean(before.slice(-LINE_DAYS));
  return missOf(weeklySeasonal(before)) < 0.9 * missOf(() => perDay);
}

/** Standard deviation of a day around what the method says of it. */
function spreadOf(history: readonly number[], method: Forecast['method']): number | null {
  const recent = history.slice(-LINE_DAYS);
  if (recent.length < 3) return null;
  const weeks = wholeWeeks(recent);
  const level = mean(recent);
  const misses =
    method === 'straight_line'
      ? recent.map((value) => value - level)
      : weeks.flatMap((week) => week.map((value, day) => value - mean(weeks.map((other) => other[day]!))));
  const means = method === 'straight_line' ? 1 : WEEK;
  return Math.sqrt(sum(misses.map((miss) => miss ** 2)) / Math.max(1, misses.length - means));
}

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

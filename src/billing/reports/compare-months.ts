import type { Db } from '../../platform/database/db.ts';
import { perFeature } from '../features.ts';
import { dayOf, type Period, periodEnd, periodStart, previousPeriod } from '../period.ts';
import { readQuota } from '../quota.store.ts';
import { type Totals, usageBetween, usageByDay } from './report.store.ts';

/** The usage of a month, or of its part `[start, end)`. */
export interface MonthWindow {
  readonly period: Period;
  readonly start: Date;
  readonly end: Date;
  readonly totals: Totals;
}

export interface Comparison {
  readonly current: MonthWindow;
  readonly previous: MonthWindow;
}

/**
 * Compares a month with the month before. For the current month, the same elapsed part of the month before is counted,
 * to the millisecond, or all of it where it is shorter. A future month is compared with nothing.
 */
export async function compareMonths(
  db: Db,
  { userId, now }: { userId: string; now: Date },
  period: Period,
): Promise<Comparison> {
  const before = previousPeriod(period);
  const [start, previousStart] = [periodStart(period), periodStart(before)];
  const end = clamp(now, start, periodEnd(period));
  const isWhole = end.getTime() === periodEnd(period).getTime();
  const sameElapsed = new Date(previousStart.getTime() + end.getTime() - start.getTime());
  const previousEnd = isWhole ? periodEnd(before) : clamp(sameElapsed, previousStart, periodEnd(before));
  const [current, previous] = await Promise.all([
    wholeMonth(db, userId, period),
    isWhole ? wholeMonth(db, userId, before) : partOf(db, userId, { start: previousStart, end: previousEnd }),
  ]);
  return {
    current: { period, start, end, totals: current },
    previous: { period: before, start: previousStart, end: previousEnd, totals: previous },
  };
}

const clamp = (time: Date, from: Date, to: Date): Date =>
  new Date(Math.min(Math.max(time.getTime(), from.getTime()), to.getTime()));

async function wholeMonth(db: Db, userId: string, period: Period): Promise<Totals> {
  const month = await readQuota(db, { scope: 'user', scopeId: userId }, period);
  return perFeature((feature) => month[feature].used);
}

/**
 * Sums whole days from their daily sums, and the rest of the last day from its usage events.
 * @param start midnight UTC
 */
async function partOf(db: Db, userId: string, { start, end }: { start: Date; end: Date }): Promise<Totals> {
  const [days, rest] = await Promise.all([
    usageByDay(db, { userId, start, end: dayOf(end) }),
    usageBetween(db, { userId, start: dayOf(end), end }),
  ]);
  return perFeature((feature) =>
    [...days.values()].reduce((sum, totals) => sum + totals[feature], rest[feature]),
  );
}

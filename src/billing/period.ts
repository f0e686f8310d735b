/** A calendar month in UTC, `YYYY-MM`: the unit of metering and billing. */
export type Period = string;

const DAY_MS = 86_400_000;

/** The month that contains a time. */
export const periodOf = (time: Date): Period => time.toISOString().slice(0, 7);

/** The first instant of a month. */
export const periodStart = (period: Period): Date => new Date(`${period}-01T00:00:00.000Z`);

/** The first instant after a month. */
export const periodEnd = (period: Period): Date => addMonths(periodStart(period), 1);

export const previousPeriod = (period: Period): Period => periodOf(addMonths(periodStart(period), -1));

/** @param monthStart first instant of a month */
export const addMonths = (monthStart: Date, months: number): Date =>
  new Date(Date.UTC(monthStart.getUTCFullYear(), monthStart.getUTCMonth() + months, 1));

export const addDays = (time: Date, days: number): Date => new Date(time.getTime() + days * DAY_MS);

/** The last midnight UTC at or before a time. */
export const dayOf = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** Days from one time to another, with fractions. */
export const daysBetween = (start: Date, end: Date): number => (end.getTime() - start.getTime()) / DAY_MS;

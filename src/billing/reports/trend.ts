import { invalidField } from '../../http/errors.ts';
import type { Db } from '../../platform/database/db.ts';
import { perFeature } from '../features.ts';
import { addDays, addMonths, dayOf, daysBetween, periodOf, periodStart } from '../period.ts';
import { type Totals, usageByDay, usageByMonth } from './report.store.ts';

export interface TrendQuery {
  readonly granularity: 'day' | 'month';
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  readonly deviceId?: string | undefined;
}

export interface Trend {
  readonly startDate: Date;
  readonly endDate: Date;
  readonly windows: readonly { readonly start: Date; readonly end: Date; readonly totals: Totals }[];
}

const MAX_DAYS = { day: 400, month: 3660 };
const NOTHING: Totals = perFeature(() => 0);

/**
 * Usage of each day or month that the range touches, 0 where nothing was used. The default range is the last 30 days or
 * the last 12 months.
 * @throws ApiError INVALID_DATE_RANGE beyond 400 days, or ten years of months
 */
export async function readTrend(
  db: Db,
  { userId, now }: { userId: string; now: Date },
  query: TrendQuery,
): Promise<Trend> {
  const range = rangeOf(query, now);
  const last = range.starts.at(-1);
  if (!last) return { startDate: range.start, endDate: range.start, windows: [] };
  const owner = { userId, deviceId: query.deviceId };
  const end = range.next(last);
  const totals = await totalsBy(db, query, { owner, start: range.start, last, end });
  return {
    startDate: range.start,
    endDate: end,
    windows: range.starts.map((start) => ({
      start,
      end: range.next(start),
      totals: totals.get(start.toISOString()) ?? NOTHING,
    })),
  };
}

/** Totals by the start of their window, ISO 8601. */
async function totalsBy(
  db: Db,
  { granularity }: TrendQuery,
  {
    owner,
    start,
    last,
    end,
  }: { owner: { userId: string; deviceId: string | undefined }; start: Date; last: Date; end: Date },
): Promise<Map<string, Totals>> {
  if (granularity === 'day') {
    const byDay = await usageByDay(db, { ...owner, start, end });
    return new Map([...byDay].map(([dayMs, totals]) => [new Date(dayMs).toISOString(), totals]));
  }
  const byMonth = await usageByMonth(db, owner, [periodOf(start), periodOf(last)]);
  return new Map([...byMonth].map(([period, totals]) => [periodStart(period).toISOString(), totals]));
}

function rangeOf({ granularity, startDate, endDate }: TrendQuery, now: Date) {
  const isDay = granularity === 'day';
  const floor = isDay ? dayOf : (time: Date) => periodStart(periodOf(time));
  const next = isDay ? (start: Date) => addDays(start, 1) : (start: Date) => addMonths(start, 1);
  // The default end is now, so today is included.
  const end = endDate ?? (startDate && startDate > now ? startDate : now);
  const start = floor(startDate ?? (isDay ? addDays(floor(end), -29) : addMonths(floor(end), -11)));
  if (daysBetween(start, end) > MAX_DAYS[granularity]) {
    const allowed = isDay ? '400 days of endDate. Ask with granularity=month' : 'ten years of endDate';
    throw invalidField('startDate', `must lie within ${allowed}`, 'INVALID_DATE_RANGE');
  }
  const starts: Date[] = [];
  if (!startDate || startDate < end) for (let at = start; at < end; at = next(at)) starts.push(at);
  return { start, starts, next };
}

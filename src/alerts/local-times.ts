import { DateTime } from 'luxon';
import { QUARTER_SECONDS } from '../catalogue/metrics/quarter.ts';

/** How many events fell into a quarter of an hour, which is counted from 1970: time zones differ from UTC by whole quarters. */
export interface QuarterCount {
  readonly quarter: number;
  readonly count: number;
}

/** Counts by the clock on the wall of a time zone: by hour of the day, 0-23, and by day. */
export function countLocally(
  counts: readonly QuarterCount[],
  timezone: string,
): { byHour: ReadonlyMap<number, number>; byDay: ReadonlyMap<string, number> } {
  const byHour = new Map<number, number>();
  const byDay = new Map<string, number>();
  for (const { quarter, count } of counts.toSorted((a, b) => a.quarter - b.quarter)) {
    const local = DateTime.fromSeconds(quarter * QUARTER_SECONDS, { zone: timezone });
    const day = local.toFormat('yyyy-MM-dd');
    byHour.set(local.hour, (byHour.get(local.hour) ?? 0) + count);
    byDay.set(day, (byDay.get(day) ?? 0) + count);
  }
  return { byHour, byDay };
}

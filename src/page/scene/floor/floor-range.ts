import { addDays, localDate, parseDate, startOfDay } from '../../kit/timezone/wall-clock.ts';

/** The ranges that the floor map offers. Dates are those of the camera's zone. */
export const FLOOR_SPANS = ['hour', 'today', 'yesterday', 'week', 'month', 'dates'] as const;
export type FloorSpan = (typeof FLOOR_SPANS)[number];

export interface FloorChoice {
  readonly span: FloorSpan;
  /** First and last date of `dates`, like `2026-11-23`. */
  readonly first: string;
  readonly last: string;
}

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const HOUR_MS = 3_600_000;
/** The API has at most 400 days. */
const MOST_DAYS = 400;

/** Why no map can be asked for. */
export type RangeFault = 'incomplete' | 'reversed' | 'tooLong';

/**
 * The range of a choice, up to the end of the hour that runs, so that the same choice asks for the same range all the hour.
 * @param nowMs now; for a recording its end
 */
export function floorRange(
  choice: FloorChoice,
  { nowMs, timezone }: { nowMs: number; timezone: string },
): TimeRange | RangeFault {
  const hourEndMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  const today = localDate(timezone, nowMs);
  const daysBack = (days: number): TimeRange => ({
    fromMs: startOfDay(timezone, addDays(today, 1 - days)),
    toMs: hourEndMs,
  });
  switch (choice.span) {
    case 'hour':
      return { fromMs: Math.floor((nowMs - HOUR_MS) / HOUR_MS) * HOUR_MS, toMs: hourEndMs };
    case 'today':
      return daysBack(1);
    case 'yesterday':
      return { fromMs: startOfDay(timezone, addDays(today, -1)), toMs: startOfDay(timezone, today) };
    case 'week':
      return daysBack(7);
    case 'month':
      return daysBack(30);
    default:
      return rangeOfDates(choice, timezone);
  }
}

function rangeOfDates({ first, last }: FloorChoice, timezone: string): TimeRange | RangeFault {
  if (!parseDate(first) || !parseDate(last)) return 'incomplete';
  const [fromMs, toMs] = [startOfDay(timezone, first), startOfDay(timezone, addDays(last, 1))];
  if (fromMs >= toMs) return 'reversed';
  // A day may have 25 hours, and the API rounds outward to whole hours.
  if (toMs - fromMs > (MOST_DAYS - 1) * 24 * HOUR_MS) return 'tooLong';
  return { fromMs, toMs };
}

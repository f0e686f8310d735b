import { DateTime } from 'luxon';
import type { PeriodKind } from '../period.ts';

/** When a report is sent, on the clock of its site. */
export interface Timetable {
  readonly period: PeriodKind;
  /** Like 07:30. */
  readonly localTime: string;
  /** 1 (Monday) to 7 (Sunday) for a week; null for a day. */
  readonly weekday: number | null;
  readonly timezone: string;
}

/** A week has each weekday; one more for a date that a zone skips, one for the day that has begun. */
const HORIZON_DAYS = 9;

/**
 * The first moment after `afterMs` at which a report is due. A time that the clock skips comes as much later as it skips; of a
 * time that the clock repeats the first counts.
 */
export function nextDue({ localTime, weekday, timezone }: Timetable, afterMs: number): Date {
  const [hour, minute] = localTime.split(':').map(Number) as [number, number];
  const today = DateTime.fromMillis(afterMs, { zone: timezone }).set({ hour: 12 });
  for (let days = 0; days <= HORIZON_DAYS; days++) {
    const date = today.plus({ days });
    if (weekday !== null && date.weekday !== weekday) continue;
    const [first] = date.set({ hour, minute, second: 0, millisecond: 0 }).getPossibleOffsets();
    if (first && first.toMillis() > afterMs) return first.toJSDate();
  }
  throw new Error(`No report is ever due at ${localTime} in ${timezone}`);
}

import { DateTime } from 'luxon';
import { localMoment } from '../../platform/jobs/local-clock.ts';
import { bucketEdges, spanOf, spansBetween } from '../history/buckets.ts';

export const PERIODS = ['day', 'week'] as const;
/** What a report is about. A week is that of ISO 8601: it begins on Monday. */
export type PeriodKind = (typeof PERIODS)[number];

/** The length of a period in days; the period before is as many days or one week earlier. */
const DAYS: Readonly<Record<PeriodKind, number>> = { day: 1, week: 7 };
const COMPARED_DAYS = 7;

/** A span of time `[fromMs, toMs)`. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A period by the clock on the wall: 23 to 25 hours a day, seven days a week. */
export interface Period extends Span {
  /** Local date of its first day, like 2026-11-23. */
  readonly date: string;
  readonly days: readonly Span[];
  readonly hours: readonly Span[];
}

/** A period with the one that it is compared with: the same weekday, or the week, before. */
export interface ComparedPeriods {
  readonly kind: PeriodKind;
  readonly timezone: string;
  readonly current: Period;
  readonly previous: Period;
}

/** @returns the periods of a local date; null if the time zone has no such date, because it skipped the day */
export function comparedPeriods(kind: PeriodKind, date: string, timezone: string): ComparedPeriods | null {
  const noon = DateTime.fromISO(date, { zone: timezone }).set({ hour: 12 });
  if (noon.toISODate() !== date) return null;
  const before = noon.minus({ days: COMPARED_DAYS });
  return {
    kind,
    timezone,
    current: periodAround(kind, noon.toMillis(), timezone),
    previous: periodAround(kind, before.toMillis(), timezone),
  };
}

/** The local date of the newest period that has ended. */
export function lastEndedDate(kind: PeriodKind, nowMs: number, timezone: string): string {
  return localMoment(nowMs, timezone).minus({ days: DAYS[kind] }).toISODate();
}

function periodAround(kind: PeriodKind, atMs: number, timezone: string): Period {
  const bucket = kind === 'day' ? '1d' : '1w';
  const { fromMs, toMs } = spanOf(bucketEdges(bucket, { fromMs: atMs, toMs: atMs + 1, timezone }));
  const spansOf = (length: '1d' | '1h') =>
    spansWithin(bucketEdges(length, { fromMs, toMs, timezone }), { fromMs, toMs });
  return {
    fromMs,
    toMs,
    date: localMoment(fromMs, timezone).toISODate(),
    days: spansOf('1d'),
    hours: spansOf('1h'),
  };
}

function spansWithin(edges: readonly number[], { fromMs, toMs }: Span): Span[] {
  return spansBetween([fromMs, ...edges.filter((edge) => edge > fromMs && edge < toMs), toMs]);
}

/** A local time with its offset from UTC, like 2026-10-25T02:00:00+02:00. */
export const localTime = (ms: number, timezone: string): string =>
  localMoment(ms, timezone).toISO({ suppressMilliseconds: true });

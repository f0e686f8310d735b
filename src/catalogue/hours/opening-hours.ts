// When a site is open, by the clock on its wall. Times of a day are texts like 09:00; the caller brings the changes of the clock.

/** Opens at `start` and closes at `end`; where that is not later it closes on the next day, so that 00:00 to 00:00 is the whole day. */
export interface DayWindow {
  readonly start: string;
  readonly end: string;
}

/** A window of each week. @see DayWindow */
export interface WeekWindow extends DayWindow {
  /** Days on which it opens, from 1 (Monday) to 7 (Sunday). */
  readonly days: readonly number[];
}

/** What holds for one date instead of its weekday. */
export interface HoursException {
  /** Local date, like 2026-12-25. */
  readonly date: string;
  readonly name: string | null;
  /** None: closed. */
  readonly windows: readonly DayWindow[];
}

export interface OpeningHours {
  readonly windows: readonly WeekWindow[];
  readonly exceptions: readonly HoursException[];
}

/** A span of time, `[fromMs, toMs)`. */
export interface OpenSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A span in which the clock of the site has one offset from UTC. */
export interface OneOffset extends OpenSpan {
  readonly offsetMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const dateOf = (localDayMs: number): string => new Date(localDayMs).toISOString().slice(0, 10);
/** 1 (Monday) to 7 (Sunday). */
const weekdayOf = (localDayMs: number): number => ((new Date(localDayMs).getUTCDay() + 6) % 7) + 1;

/** The windows that open on a local date, and the exception that makes them other than usual. */
export function hoursOn(
  { windows, exceptions }: OpeningHours,
  date: string,
): { readonly windows: readonly DayWindow[]; readonly exception: HoursException | null } {
  const exception = exceptions.find((one) => one.date === date) ?? null;
  const weekday = weekdayOf(Date.parse(date));
  return { windows: exception?.windows ?? windows.filter(({ days }) => days.includes(weekday)), exception };
}

/**
 * The open times, ascending and apart from each other. A moment is open when the clock on the wall shows a time within a window:
 * an hour that it repeats is open both times. @param clock adjoining spans of the time that is looked at
 */
export function openSpans(hours: OpeningHours, clock: readonly OneOffset[]): OpenSpan[] {
  const found: OpenSpan[] = [];
  for (const { fromMs, toMs, offsetMs } of clock) {
    // What opened on the day before may still be open.
    const firstDay = Math.floor((fromMs + offsetMs) / DAY_MS) * DAY_MS - DAY_MS;
    for (let day = firstDay; day < toMs + offsetMs; day += DAY_MS) {
      for (const { start, end } of hoursOn(hours, dateOf(day)).windows) {
        const [opens, closes] = [minutesOf(start), minutesOf(end)];
        const length = closes > opens ? closes - opens : closes - opens + 1_440;
        const openMs = day + opens * MINUTE_MS - offsetMs;
        const span = {
          fromMs: Math.max(fromMs, openMs),
          toMs: Math.min(toMs, openMs + length * MINUTE_MS),
        };
        if (span.fromMs < span.toMs) found.push(span);
      }
    }
  }
  return together(found);
}

/** Times at which at least one of these is open. */
export function together(spans: readonly OpenSpan[]): OpenSpan[] {
  const merged: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of [...spans].sort((one, other) => one.fromMs - other.fromMs)) {
    const last = merged.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else merged.push({ fromMs, toMs });
  }
  return merged;
}

/** Milliseconds of a time that are open. @param open from `openSpans` */
export const openWithin = (open: readonly OpenSpan[], { fromMs, toMs }: OpenSpan): number =>
  open.reduce((all, span) => all + Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)), 0);

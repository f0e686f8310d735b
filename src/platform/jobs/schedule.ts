import { DateTime, IANAZone, Settings } from 'luxon';
import { z } from 'zod';

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 09:00');

const DAYS = 'must be a day from 1 to 7. Monday is 1, Sunday is 7';

/** luxon keeps 30 KB for each name that it has seen, without a limit. */
const MOST_NAMES = 1_000;
const known = new Set<string>();

/** Names count in upper and lower case, so a caller can write one zone in millions of ways. */
function isTimezone(name: string): boolean {
  if (known.has(name)) return true;
  if (!IANAZone.isValidZone(name)) return false;
  if (known.size >= MOST_NAMES) {
    known.clear();
    Settings.resetCaches();
  }
  known.add(name);
  return true;
}

/** An IANA name of a time zone. */
export const timezone = z.string().max(64).refine(isTimezone, 'must be an IANA time zone like Europe/Berlin');

/** The zone of a stored name: the same for each way of writing it, so that stored names do not fill the memory of a worker. */
const zoneOf = (name: string): IANAZone => IANAZone.create(name.toLowerCase());

/** Midnight of a date (`2026-01-31`) in a zone; where the clock skips midnight, the first moment of the day. */
export const startOfDay = (date: string, name: string): Date =>
  DateTime.fromISO(date, { zone: zoneOf(name) })
    .startOf('day')
    .toJSDate();

/** Weekly windows in local time; one that ends at or before its start goes over midnight. */
export const scheduleSchema = z
  .strictObject({
    timezone: timezone.meta({ description: 'IANA time zone of the windows' }),
    windows: z
      .array(
        z.strictObject({
          days: z
            .array(z.int().min(1, DAYS).max(7, DAYS))
            .min(1)
            .max(7)
            .meta({ description: 'Days on which the window starts, from 1 (Monday) to 7 (Sunday)' }),
          start: timeOfDay.meta({ description: 'Start of the window in local time, HH:MM, included' }),
          end: timeOfDay.meta({ description: 'End of the window in local time, HH:MM, not included' }),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({ id: 'Schedule', description: 'Weekly windows in local time' });

export type Schedule = z.output<typeof scheduleSchema>;

/** The timetable of a row. The program that stored it may know time zones that this one does not: one unknown zone must not hold up all rules. */
export const storedSchedule = z
  .object({
    timezone: z.string(),
    windows: z.array(z.object({ days: z.array(z.int()), start: z.string(), end: z.string() })),
  })
  .nullable();

/** The time zone of a row, else that of its timetable; null where it has neither. */
export const timezoneOf = (row: {
  readonly timezone: string | null;
  readonly schedule: unknown;
}): string | null => row.timezone ?? storedSchedule.parse(row.schedule)?.timezone ?? null;

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Whether a moment lies in a window, by the clock on the wall there: an hour that DST repeats counts both times. */
export function isWithinSchedule(schedule: Schedule, atMs: number): boolean {
  const local = DateTime.fromMillis(atMs, { zone: zoneOf(schedule.timezone) });
  const today = local.weekday;
  const yesterday = today === 1 ? 7 : today - 1;
  const minute = local.hour * 60 + local.minute;
  return schedule.windows.some(({ days, start, end }) => {
    const [from, to] = [minuteOf(start), minuteOf(end)];
    const startsToday = days.includes(today) && minute >= from;
    if (from < to) return startsToday && minute < to;
    return startsToday || (days.includes(yesterday) && minute < to);
  });
}

/** Weekly windows repeat after a week; one in an hour that DST leaves out comes a week later still. */
const HORIZON_DAYS = 15;
const DAY_MS = 86_400_000;

/** The first moment after `atMs` at which a window begins or ends; null when none does, as with a window that never ends. */
export function nextEdge(schedule: Schedule, atMs: number): number | null {
  for (let day = 0; day < HORIZON_DAYS; day++) {
    const from = atMs + day * DAY_MS;
    const edge = edgesWithin(schedule, from, from + DAY_MS)[0];
    if (edge !== undefined) return edge;
  }
  return null;
}

/** The last moment up to and with `atMs` at which a window began or ended; null when none did. */
export function lastEdge(schedule: Schedule, atMs: number): number | null {
  for (let day = 0; day < HORIZON_DAYS; day++) {
    const to = atMs - day * DAY_MS;
    const edge = edgesWithin(schedule, to - DAY_MS, to).at(-1);
    if (edge !== undefined) return edge;
  }
  return null;
}

/** Edges in `(fromMs, toMs]`, at most a day or so: only a start, an end or a changed offset from UTC can be one. */
function edgesWithin(schedule: Schedule, fromMs: number, toMs: number): number[] {
  const { timezone, windows } = schedule;
  const offsetAt = (ms: number) => DateTime.fromMillis(ms, { zone: zoneOf(timezone) }).offset * 60_000;
  const offsets = new Set([offsetAt(fromMs), offsetAt(toMs)]);
  const minutes = new Set(windows.flatMap(({ start, end }) => [minuteOf(start), minuteOf(end)]));
  const candidates = new Set<number>(offsets.size > 1 ? [offsetChange(offsetAt, fromMs, toMs)] : []);
  for (const offset of offsets) {
    const firstDay = Math.floor((fromMs + offset) / DAY_MS);
    const lastDay = Math.floor((toMs + offset) / DAY_MS);
    for (let day = firstDay; day <= lastDay; day++) {
      for (const minute of minutes) candidates.add(day * DAY_MS + minute * 60_000 - offset);
    }
  }
  return [...candidates]
    .filter((ms) => ms > fromMs && ms <= toMs)
    .filter((ms) => isWithinSchedule(schedule, ms) !== isWithinSchedule(schedule, ms - 1))
    .sort((a, b) => a - b);
}

/** The moment between the two at which the offset changes: clocks are set at a whole minute. */
function offsetChange(offsetAt: (ms: number) => number, fromMs: number, toMs: number): number {
  const before = offsetAt(fromMs);
  let [low, high] = [Math.floor(fromMs / 60_000), Math.ceil(toMs / 60_000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * 60_000) === before) low = middle;
    else high = middle;
  }
  return high * 60_000;
}

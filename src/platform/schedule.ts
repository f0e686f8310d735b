import { DateTime, IANAZone } from 'luxon';
import { z } from 'zod';

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 09:00');

/** An IANA name of a time zone. */
export const timezone = z
  .string()
  .max(64)
  .refine((name) => IANAZone.isValidZone(name), 'must be an IANA time zone like Europe/Berlin');

/** Weekly windows in local time; one that ends at or before its start goes over midnight. */
export const scheduleSchema = z
  .strictObject({
    timezone: timezone.meta({ description: 'IANA time zone of the windows' }),
    windows: z
      .array(
        z.strictObject({
          days: z
            .array(z.int().min(1).max(7))
            .min(1)
            .max(7)
            .meta({ description: 'Days on which the window starts, 1 Monday to 7 Sunday' }),
          start: timeOfDay.meta({ description: 'Local time, HH:MM; part of the window' }),
          end: timeOfDay.meta({ description: 'Local time, HH:MM; no longer part of the window' }),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({ id: 'Schedule', description: 'Weekly windows in local time' });

export type Schedule = z.output<typeof scheduleSchema>;

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Whether a moment lies in a window, by the clock on the wall there: an hour that DST repeats counts both times. */
export function isWithinSchedule(schedule: Schedule, atMs: number): boolean {
  const local = DateTime.fromMillis(atMs, { zone: schedule.timezone });
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

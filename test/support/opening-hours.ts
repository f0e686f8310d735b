import { DateTime } from 'luxon';
import {
  hoursOn,
  type OpeningHours,
  openSpans,
  openWithin,
} from '../../src/catalogue/hours/opening-hours.ts';
import { clockSpans } from '../../src/platform/jobs/local-clock.ts';
import { fc } from './property.ts';

const time = fc
  .integer({ min: 0, max: 95 })
  .map((at) => DateTime.fromMillis(at * 900_000, { zone: 'utc' }).toFormat('HH:mm'));
const window = fc.record({ start: time, end: time });
const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 });

/** Any opening hours with exceptions around a date. */
export const openingHoursAround = (date: string): fc.Arbitrary<OpeningHours> =>
  fc.record({
    windows: fc.array(
      fc.tuple(window, days).map(([one, on]) => ({ ...one, days: on })),
      { maxLength: 4 },
    ),
    exceptions: fc.uniqueArray(
      fc.record({
        date: fc
          .integer({ min: -4, max: 10 })
          .map((day) => DateTime.fromISO(date, { zone: 'utc' }).plus({ days: day }).toISODate()!),
        name: fc.constant(null),
        windows: fc.array(window, { maxLength: 2 }),
      }),
      { selector: ({ date: of }) => of, maxLength: 3 },
    ),
  });

/** As the words say it: open by today's windows, or by those of yesterday that go over midnight. Null: always. */
export function isOpenAt(hours: OpeningHours | null, zone: string, ms: number): boolean {
  if (hours === null) return true;
  const at = DateTime.fromMillis(ms, { zone });
  const clock = at.toFormat('HH:mm');
  const on = (day: DateTime) =>
    hoursOn(hours, new Date(Date.UTC(day.year, day.month - 1, day.day)).toISOString().slice(0, 10)).windows;
  // By the calendar: a zone may skip a day.
  const yesterday = DateTime.utc(at.year, at.month, at.day).minus({ days: 1 });
  return (
    on(at).some(({ start, end }) => start <= clock && (clock < end || end <= start)) ||
    on(yesterday).some(({ start, end }) => end <= start && clock < end)
  );
}

export const openMsOf = (
  hours: OpeningHours | null,
  zone: string,
  span: { fromMs: number; toMs: number },
): number =>
  hours === null
    ? span.toMs - span.fromMs
    : openWithin(openSpans(hours, clockSpans(zone, span.fromMs, span.toMs)), span);

import { z } from 'zod';
import type { OpeningHours } from '../../catalogue/hours/opening-hours.ts';
import { nameText } from '../../http/fields.ts';

/** Sums are kept by the quarter of an hour: hours that begin within one could not be counted. */
const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):(00|15|30|45)$/, 'must be a whole quarter of an hour, like 09:00 or 20:15');
const DAY = 'must be a day from 1 to 7. Monday is 1, Sunday is 7';

const dayWindow = {
  start: time.meta({ description: 'When it opens, HH:MM in quarters of an hour' }),
  end: time.meta({
    description:
      'When it closes; where that is not later than `start`, on the next day. 00:00 to 00:00 is the whole day',
  }),
};

const windows = z
  .array(
    z.strictObject({
      days: z
        .array(z.int().min(1, DAY).max(7, DAY))
        .min(1)
        .max(7)
        .meta({ description: 'Days on which it opens, from 1 (Monday) to 7 (Sunday)' }),
      ...dayWindow,
    }),
  )
  .min(1)
  .max(50)
  .meta({ description: 'The usual week; a day may have several windows. Days without one are closed' });

const exception = {
  date: z.iso.date('must be a date like 2026-12-25').meta({ description: 'Local date' }),
  name: nameText(1, 60).nullable().meta({ description: 'What the day is, like Christmas; null: no name' }),
  windows: z
    .array(z.strictObject(dayWindow))
    .max(10)
    .meta({ description: 'When it opens on this date instead; empty: closed' }),
};
const EXCEPTIONS = { description: 'Dates with other hours: holidays, late openings' };

export const openingHoursBody = z.strictObject({
  windows,
  exceptions: z
    .array(
      z.strictObject({
        ...exception,
        name: exception.name.prefault(null),
        windows: exception.windows.prefault([]),
      }),
    )
    .max(400)
    .superRefine((exceptions, context) => {
      const seen = new Set<string>();
      for (const [at, { date }] of exceptions.entries()) {
        if (seen.has(date))
          context.addIssue({ code: 'custom', path: [at, 'date'], message: `is named twice: ${date}` });
        seen.add(date);
      }
    })
    .prefault([])
    .meta(EXCEPTIONS),
});

export const openingHours = z
  .strictObject({ windows, exceptions: z.array(z.strictObject(exception)).meta(EXCEPTIONS) })
  .meta({ id: 'OpeningHours', description: 'When a site is open, by the clock of its time zone' });

const storedWindow = z.object({ start: z.string(), end: z.string() });
const storedHours = z
  .object({
    windows: z.array(storedWindow.extend({ days: z.array(z.int()) })),
    exceptions: z.array(
      z.object({ date: z.string(), name: z.string().nullable(), windows: z.array(storedWindow) }),
    ),
  })
  .nullable();
/** Opening hours as the table Site has them: they were checked when they were sent. */
export const openingHoursOf = (stored: unknown): OpeningHours | null => storedHours.parse(stored);

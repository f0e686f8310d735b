import { z } from 'zod';

/** A UUID of any version, in lower case as the database returns it. */
export const id = () => z.guid('must be a UUID').toLowerCase();

/** A text with a minimum and maximum length in characters. */
export const text = (min: number, max: number) => z.string().min(min).max(max);

/** Characters that nobody sees, and those that turn the direction of a text, so that a name reads as another one. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** A name for people, on one line, of which something is seen. */
export const nameText = (min: number, max: number) =>
  text(min, max)
    .refine(
      (value) => !HIDDEN.test(value),
      'must not contain control characters, line breaks or characters that change the direction of text',
    )
    .refine((value) => value === '' || value.trim() !== '', 'must not consist of blanks alone');

/** The parameters of a path like `/scenes/{id}`. */
export const idParams = z.object({ id: id().meta({ description: 'Id of the resource' }) });

const timeText = () =>
  z.union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'must be an ISO 8601 time like 2026-01-31T08:00:00.000Z',
  );
/** `isTime` recognises times by it. */
const TIME_TEXT = timeText();
const UTC_TIME_TEXT = timeText();

const timeOf = (text: typeof TIME_TEXT) =>
  text
    .transform((value) => new Date(value))
    .refine(
      (value) => value.getUTCFullYear() >= 1 && value.getUTCFullYear() <= 9999,
      'must lie in the years 1 to 9999',
    )
    .meta({ override: { type: 'string', format: 'date-time' } });

/** A time in a request: ISO 8601 with a zone, or a date: midnight in the zone of the call (`request/local-days.ts`). */
export const time = () => timeOf(TIME_TEXT);

/** A time in a request about billing, whose days and months are those of UTC: a date is midnight UTC. */
export const utcTime = () => timeOf(UTC_TIME_TEXT);

/** Whether a field is a `time()`, also one that may be absent or null. */
export function isTime(schema: z.core.$ZodType): boolean {
  if (schema === TIME_TEXT) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return isTime(schema.def.innerType);
  return schema instanceof z.ZodPipe && isTime(schema.def.in);
}

/** A time in a response: ISO 8601, UTC, milliseconds. */
export const timestamp = () => z.iso.datetime({ precision: 3 });

/** `true` or `false` in a query. */
export const flag = () =>
  z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).meta({ override: { type: 'boolean' } });

/** Of a route that may answer 204. @param instead what it answers else */
export const orNothing = (instead: string) =>
  flag()
    .optional()
    .meta({ description: `Answer 204 without a body where there is none, instead of ${instead}` });

/** The formats of an answer. */
export type Format = 'json' | 'csv' | 'html';

/** `format` of a route whose answer has several: it comes before the header Accept. */
export const formatField = (formats: readonly [Format, ...Format[]]) =>
  z
    .enum(formats)
    .optional()
    .meta({ description: 'Format of the answer; default: what the header Accept prefers, or else JSON' });

/** `startDate` and `endDate` of a half-open range `[start, end)`, to spread into the schema of a query. */
export const rangeFields = {
  startDate: time().optional().meta({ description: 'Start of the range, included' }),
  endDate: time().optional().meta({ description: 'End of the range, not included' }),
};

/** The same for billing. */
export const utcRangeFields = {
  startDate: utcTime()
    .optional()
    .meta({ description: 'Start of the range, included; a date is midnight UTC' }),
  endDate: utcTime()
    .optional()
    .meta({ description: 'End of the range, not included; a date is midnight UTC' }),
};

/** Refinement for queries with `rangeFields`: the start must not lie after the end. */
export function orderedRange(
  query: { startDate?: Date | undefined; endDate?: Date | undefined },
  context: z.RefinementCtx,
): void {
  if (!query.startDate || !query.endDate || query.startDate <= query.endDate) return;
  context.addIssue({
    code: 'custom',
    path: ['startDate'],
    message: `must not lie after endDate, ${query.endDate.toISOString()}`,
    params: { code: 'INVALID_DATE_RANGE' },
  });
}

/** The fields that have a value: those of a PATCH body, or of a filter, that were sent. */
export const definedFields = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

/** A Prisma filter for texts that contain this text, in any case; `%` and `_` stand for themselves. */
export const containing = (text: string) => ({
  contains: text.replace(/[\\%_]/g, '\\$&'),
  mode: 'insensitive' as const,
});

/** A range as a Prisma filter; undefined if it has neither end. */
export function within(range: { startDate?: Date | undefined; endDate?: Date | undefined }) {
  if (!range.startDate && !range.endDate) return undefined;
  return { ...(range.startDate && { gte: range.startDate }), ...(range.endDate && { lt: range.endDate }) };
}

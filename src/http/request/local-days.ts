import type { Request } from 'express';
import { z } from 'zod';
import type { Db } from '../../platform/database/db.ts';
import { startOfDay, timezone } from '../../platform/jobs/schedule.ts';
import { isTime } from '../fields.ts';
import type { Caller } from '../permission.ts';
import type { Route } from '../route.ts';
import { parametersOf } from './query.ts';

/**
 * The time zone of what a call is about: of the site, the device or the scene's device among these ids, else of the user, else UTC.
 */
export type ZoneOf = (db: Db, userId: string, ids: readonly string[]) => Promise<string>;

interface Call {
  readonly request: Pick<Request, 'params' | 'query'>;
  readonly body: unknown;
  readonly caller: Caller | null;
  readonly db: Db;
  readonly zoneOf: ZoneOf;
}

/** What a route validates. */
export interface Sent {
  readonly query: Request['query'];
  readonly body: unknown;
}

/** A place of a call in which a time may be, with its texts. */
type Texts = Readonly<Record<string, unknown>>;

const DATE = /^\d{4}-\d\d-\d\d$/;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A date without a time, where a route takes a time, becomes midnight in the zone that the call names (`timezone`), or in that of
 * what it is about. Whoever asks for a day means the day on the wall of the shop.
 */
export async function withLocalDays(route: Route, call: Call): Promise<Sent> {
  const { request, body, caller, db, zoneOf } = call;
  const sent = { query: request.query, body };
  const inQuery = datesIn(route.query, request.query);
  const inBody = datesIn(route.body, body);
  if (inQuery.length === 0 && inBody.length === 0) return sent;
  const texts: Texts = { ...request.params, ...request.query, ...(isTexts(body) && body) };
  const named = timezone.safeParse(texts.timezone);
  const ids = Object.values(texts).filter(
    (text): text is string => typeof text === 'string' && ID.test(text),
  );
  const zone = named.success ? named.data : caller ? await zoneOf(db, caller.userId, ids) : 'UTC';
  return {
    query: replaced(request.query, inQuery, zone) as Request['query'],
    body: isTexts(body) ? replaced(body, inBody, zone) : body,
  };
}

const isTexts = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of the fields that hold a date, and may hold a time. */
function datesIn(schema: z.ZodType | undefined, texts: unknown): string[] {
  if (!schema || !isTexts(texts)) return [];
  const names = Object.keys(texts).filter((name) => {
    const text = texts[name];
    return typeof text === 'string' && DATE.test(text) && z.iso.date().safeParse(text).success;
  });
  if (names.length === 0) return names;
  const fields = fieldsOf(schema);
  const times = new Set(Object.keys(fields).filter((name) => fields[name] && isTime(fields[name])));
  return names.filter((name) => times.has(name));
}

/** Of a body that is one of several objects, or no object, none. */
function fieldsOf(schema: z.ZodType): z.core.$ZodShape {
  try {
    return parametersOf(schema);
  } catch {
    return {};
  }
}

const replaced = (texts: Texts, names: readonly string[], zone: string): Texts => ({
  ...texts,
  ...Object.fromEntries(names.map((name) => [name, startOfDay(texts[name] as string, zone).toISOString()])),
});

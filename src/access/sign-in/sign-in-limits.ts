import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { RateLimit } from '../../http/server/rate-limit.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/database/db.ts';

const WINDOW_SECONDS = 15 * 60;
/** Wrong passwords of one account within the window. */
const MOST_FAILURES = 20;

/** Sign-ins with one API key within the window, right ones too: a person needs one or two. */
const MOST_BY_KEY = 60;

const limitsNamed = (name: string, most: number) => {
  const limits = new WeakMap<Db, RateLimit>();
  return (db: Db): RateLimit => {
    const known = limits.get(db);
    if (known) return known;
    const made = new RateLimit(name, most, { sharedBy: db, isShown: false, windowSeconds: WINDOW_SECONDS });
    limits.set(db, made);
    return made;
  };
};
const limitOf = limitsNamed('sign-in', MOST_FAILURES);
const limitOfKeys = limitsNamed('sign-in-key', MOST_BY_KEY);

/** Counts a sign-in with a key that is right. @throws ApiError RATE_LIMITED */
export const countByKey = ({ db }: Pick<Context, 'db'>, keyId: string): Promise<void> =>
  limitOfKeys(db).consume(keyId);

const markOf = (id: string, { userId, urlSigningKey }: { userId: string; urlSigningKey: string }): string =>
  createHmac('sha256', urlSigningKey).update(`device ${userId} ${id}`).digest('base64url');

/** The cookie of a browser in which the user has signed in with the password. */
export function makeDevice({ urlSigningKey }: Pick<Context, 'urlSigningKey'>, userId: string): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${markOf(id, { userId, urlSigningKey })}`;
}

/** @returns the id of the browser; null if the user has not signed in there */
function readDevice(
  { urlSigningKey }: Pick<Context, 'urlSigningKey'>,
  userId: string,
  cookie: string | undefined,
): string | null {
  const [id = '', mark = ''] = cookie?.split('.') ?? [];
  const wanted = Buffer.from(markOf(id, { userId, urlSigningKey }));
  const given = Buffer.from(mark);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? id : null;
}

interface Try {
  readonly email: string;
  /** Null for an unknown user, who is counted like a known one. */
  readonly userId: string | null;
  /** The cookie of the browser. */
  readonly device: string | undefined;
}

/**
 * Counts a try to sign in with a password before it is made. A browser in which the user has signed in before has a counter
 * of its own; all others share one, so that a stranger can lock out neither that browser nor anybody with a code or key.
 * @returns a function that takes the try back, because the password was right
 * @throws ApiError RATE_LIMITED
 */
export async function countTry(
  context: Pick<Context, 'db' | 'urlSigningKey'>,
  { email, userId, device }: Try,
): Promise<() => Promise<void>> {
  const limit = limitOf(context.db);
  const known = userId && readDevice(context, userId, device);
  const key = userId ?? createHash('sha256').update(email.toLowerCase()).digest('base64url');
  return countIn(limit, known ? `${key} ${known}` : key);
}

/**
 * Counts a check of the present password in a session of the user, like `countTry`. Strangers have other counters, and a session
 * that began with the password has a counter of its own, so that whoever has taken over one session cannot keep the user from
 * changing the password in a new one.
 */
export const countCheck = (
  { db }: Pick<Context, 'db'>,
  userId: string,
  sessionId: string | null,
): Promise<() => Promise<void>> =>
  countIn(limitOf(db), sessionId === null ? `${userId} change` : `${userId} change ${sessionId}`);

async function countIn(limit: RateLimit, counter: string): Promise<() => Promise<void>> {
  await limit.consume(counter);
  return () => limit.giveBack(counter);
}

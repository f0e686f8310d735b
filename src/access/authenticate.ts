import { type Authenticate, type Caller, isScope } from '../http/permission.ts';
import type { Context } from '../platform/context.ts';
import { findKey, type StoredKey, touchKey } from './api-key.store.ts';
import { isSecret, parseApiKey } from './api-key.ts';

/** A revoked key works at most this much longer. */
const CACHE_MS = 10_000;
const CACHED_KEYS = 10_000;
const TOUCH_MS = 60_000;

interface Known {
  readonly row: StoredKey;
  readonly caller: Caller;
}

interface Cached {
  readonly until: number;
  readonly known: Promise<Known | null>;
}

/** Finds out who sends a request, from its Authorization header alone. */
export function createAuthenticate(context: Context): Authenticate {
  const { db, clock, logger } = context;
  const cache = new Map<string, Cached>();
  const touchedAt = new Map<string, number>();

  function lookUp(keyId: string, now: number): Promise<Known | null> {
    const cached = cache.get(keyId);
    if (cached && cached.until > now) return cached.known;
    const known = findKey(db, keyId).then((row) => row && { row, caller: callerOf(row) });
    known.catch(() => cache.delete(keyId));
    // The oldest entry is the first: whoever guesses ids cannot fill the memory.
    if (cache.size >= CACHED_KEYS) cache.delete(cache.keys().next().value!);
    cache.delete(keyId);
    cache.set(keyId, { until: now + CACHE_MS, known });
    return known;
  }

  /** Nobody waits for this, and a failure costs nothing but the date. */
  function touch(row: StoredKey, now: number): void {
    const last = touchedAt.get(row.id) ?? row.lastUsedAt?.getTime() ?? 0;
    if (now - last < TOUCH_MS) return;
    touchedAt.set(row.id, now);
    touchKey(db, row.id, new Date(now)).catch((error: unknown) => {
      logger.warn({ err: error }, 'The last use of an API key could not be written');
    });
  }

  return async (authorization) => {
    const key = parseApiKey(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
    if (!key) return null;
    const now = clock.now().getTime();
    const known = await lookUp(key.keyId, now);
    if (!known || !isSecret(key.secret, known.row.secretHash)) return null;
    const { row, caller } = known;
    if (row.revokedAt || (row.expiresAt && row.expiresAt.getTime() <= now)) return null;
    touch(row, now);
    return caller;
  };
}

const callerOf = ({ id, userId, scopes }: StoredKey): Caller => ({
  userId,
  keyId: id,
  scopes: new Set(scopes.filter(isScope)),
});

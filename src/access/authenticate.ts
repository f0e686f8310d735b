import { type Authenticate, type Caller, isScope } from '../http/permission.ts';
import type { Context } from '../platform/context.ts';
import { findKey, type StoredKey, touchKey } from './api-key.store.ts';
import { isSecret, type ParsedKey, parseApiKey } from './api-key.ts';

/** How long a key is cached; a revoked key works at most this much longer. */
const CACHE_MS = 10_000;
const CACHED_KEYS = 10_000;
const TOUCH_MS = 60_000;

interface Known {
  readonly row: StoredKey;
  readonly caller: Caller;
  /** Clock time in ms until which the row is valid. */
  readonly until: number;
}

/**
 * Authenticates a request by its Authorization header. Only keys with a correct secret are cached, so that guesses cannot
 * fill the cache. A cached key is read again every ten seconds.
 */
export function createAuthenticate(context: Context): Authenticate {
  const { db, clock, logger } = context;
  const remembered = new Map<string, Known>();
  const underWay = new Map<string, Promise<StoredKey | null>>();
  const touchedAt = new Map<string, number>();

  /** Concurrent requests with the same key share one query. */
  function read(keyId: string): Promise<StoredKey | null> {
    const running = underWay.get(keyId);
    if (running) return running;
    const started = findKey(db, keyId).finally(() => underWay.delete(keyId));
    underWay.set(keyId, started);
    return started;
  }

  async function lookUp({ keyId, secret }: ParsedKey, now: number): Promise<Known | null> {
    const row = await read(keyId);
    remembered.delete(keyId);
    if (!row || !isSecret(secret, row.secretHash)) return null;
    const known = { row, caller: callerOf(row), until: now + CACHE_MS };
    // A map keeps insertion order, so its first entry is the oldest.
    if (remembered.size >= CACHED_KEYS) remembered.delete(remembered.keys().next().value!);
    remembered.set(keyId, known);
    return known;
  }

  /** Stores the last use in the background; if it fails, only the date is missing. */
  function touch(row: StoredKey, now: number): void {
    const last = touchedAt.get(row.id) ?? row.lastUsedAt?.getTime() ?? 0;
    if (now - last < TOUCH_MS) return;
    touchedAt.set(row.id, now);
    touchKey(db, row.id, new Date(now)).catch((error: unknown) => {
      logger.warn({ err: error }, 'The last use of an API key could not be stored');
    });
  }

  return async (authorization, beforeLookUp) => {
    const key = parseApiKey(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
    if (!key) return null;
    const now = clock.now().getTime();
    let known = remembered.get(key.keyId) ?? null;
    // The secret of a key never changes, so a wrong one needs no query.
    if (known && !isSecret(key.secret, known.row.secretHash)) return null;
    if (!known) await beforeLookUp?.();
    if (!known || known.until <= now) known = await lookUp(key, now);
    if (!known) return null;
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

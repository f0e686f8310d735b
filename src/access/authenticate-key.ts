import { type Caller, isScope } from '../http/permission.ts';
import type { Context } from '../platform/context.ts';
import { findKey, type StoredKey, touchKey } from './api-key.store.ts';
import { isSecret, parseApiKey } from './api-key.ts';
import { CredentialCache, isUseDue } from './credential-cache.ts';

/** A key with its caller, which is made once for each time that the row is read. */
type Row = StoredKey & { readonly caller: Caller };

/** Authenticates a request by its Authorization header. */
export function createAuthenticateKey({ db, clock, logger }: Context) {
  const keys = new CredentialCache<Row>(async (keyId) => {
    const row = await findKey(db, keyId);
    return row && { ...row, caller: callerOf(row) };
  });

  /** Stores the last use in the background; if it fails, only the date is missing. */
  function touch(id: string, now: number): void {
    touchKey(db, id, new Date(now)).catch((error: unknown) => {
      logger.warn({ err: error }, 'The last use of an API key could not be stored');
    });
  }

  return async (
    authorization: string | undefined,
    beforeLookUp?: () => Promise<void>,
  ): Promise<Caller | null> => {
    const key = parseApiKey(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
    if (!key) return null;
    const now = clock.now().getTime();
    const isRight = ({ secretHash }: Row) => isSecret(key.secret, secretHash);
    let known = keys.get(key.keyId);
    // The secret of a key never changes, so a wrong one needs no query.
    if (known && !isRight(known.row)) return null;
    if (!known) await beforeLookUp?.();
    if (!known || known.until <= now) known = await keys.read(key.keyId, now, isRight);
    if (!known) return null;
    const { row } = known;
    if (row.revokedAt || (row.expiresAt && row.expiresAt.getTime() <= now)) return null;
    if (isUseDue(known, now)) touch(row.id, now);
    return row.caller;
  };
}

const callerOf = ({ id, userId, scopes }: StoredKey): Caller => ({
  userId,
  credentialId: id,
  sessionId: null,
  keyId: id,
  scopes: new Set(scopes.filter(isScope)),
});

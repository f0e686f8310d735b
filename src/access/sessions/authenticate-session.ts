import type { Caller, Credentials } from '../../http/permission.ts';
import { shownAddress } from '../../http/server/client-network.ts';
import type { Context } from '../../platform/context.ts';
import { CredentialCache, isUseDue } from '../credential-cache.ts';
import { expiryOf } from './begin-session.ts';
import { scopesOfGrant } from './grant.ts';
import { findSession, type StoredSession, touchSession } from './session.store.ts';
import { hashOf, isToken } from './session-token.ts';
import { shownUserAgent } from './shown-client.ts';

/** A session with its caller, which is made once for each time that the row is read. */
type Row = StoredSession & { readonly caller: Caller };

/** Authenticates a request by its session cookie. */
export function createAuthenticateSession({ db, clock, logger }: Context) {
  const sessions = new CredentialCache<Row>(async (hash) => {
    const row = await findSession(db, new Uint8Array(Buffer.from(hash, 'hex')));
    return row && { ...row, caller: callerOf(row) };
  });

  /** Stores the last use in the background, and moves the expiry; if it fails, the next use after a while does. */
  function touch(row: StoredSession, now: number, { address, userAgent }: Credentials): void {
    const lastUsedAt = new Date(now);
    const use = {
      lastUsedAt,
      lastAddress: shownAddress(address),
      lastUserAgent: shownUserAgent(userAgent),
      expiresAt: expiryOf(row.kind, lastUsedAt),
    };
    touchSession(db, row.id, use).catch((error: unknown) => {
      logger.warn({ err: error }, 'The last use of a session could not be stored');
    });
  }

  return async (credentials: Credentials, beforeLookUp?: () => Promise<void>): Promise<Caller | null> => {
    const token = credentials.session ?? '';
    if (!isToken(token)) return null;
    const id = Buffer.from(hashOf(token)).toString('hex');
    const now = clock.now().getTime();
    let known = sessions.get(id);
    if (!known) await beforeLookUp?.();
    if (!known || known.until <= now) known = await sessions.read(id, now, () => true);
    if (!known || !isAlive(known.row, now)) return null;
    if (isUseDue(known, now)) touch(known.row, now, credentials);
    return known.row.caller;
  };
}

function isAlive({ revokedAt, expiresAt, keyRevokedAt, keyExpiresAt }: StoredSession, now: number): boolean {
  const isOver = (end: Date | null) => end !== null && end.getTime() <= now;
  return revokedAt === null && keyRevokedAt === null && !isOver(expiresAt) && !isOver(keyExpiresAt);
}

const callerOf = ({ id, userId, apiKeyId, isAdmin, ...grant }: StoredSession): Caller => ({
  userId,
  credentialId: id,
  sessionId: id,
  keyId: apiKeyId,
  scopes: scopesOfGrant(grant, isAdmin),
});

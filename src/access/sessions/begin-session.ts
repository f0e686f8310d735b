import { recordAudit } from '../../audit/record-audit.ts';
import { ApiError } from '../../http/errors.ts';
import { shownAddress } from '../../http/server/client-network.ts';
import type { Tx } from '../../platform/database/db.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import type { SessionKind, SignInMethod } from '../../platform/prisma-client/enums.ts';
import { type Account, findAccount } from '../user.store.ts';
import type { Grant } from './grant.ts';
import { insertSession, type ListedSession, makeRoom } from './session.store.ts';
import { hashOf, makeToken } from './session-token.ts';
import { shownUserAgent } from './shown-client.ts';

const PERSON_DAYS = 30;
/** Sessions of one kind and origin that a user can have, also revoked ones. */
const MOST_SESSIONS = 200;
/** The same of sessions that an API key begins itself. */
const MOST_OF_KEY = 50;
/** After so many days without use a person's session that began with a code gives its place to a new one. */
const UNUSED_DAYS = 7;

/** When a session that is used now expires. */
export const expiryOf = (kind: SessionKind, now: Date): Date | null =>
  kind === 'screen' ? null : new Date(now.getTime() + PERSON_DAYS * 86_400_000);

export interface NewSession extends Grant {
  readonly userId: string;
  readonly apiKeyId: string | null;
  readonly kind: SessionKind;
  readonly method: SignInMethod;
  readonly label: string | null;
  /** Whether a sign-in link of the command line begins it; default: no. */
  readonly byOperator?: boolean;
}

/** Where and when the session begins. */
export interface Begin {
  readonly now: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface BegunSession {
  readonly account: Account;
  readonly session: ListedSession;
  /** The value of the cookie; nothing but its hash is stored. */
  readonly token: string;
}

/**
 * Call it under `lockUser`.
 * @throws ApiError UNAUTHORIZED when the user was deleted meanwhile; LIMIT_REACHED when codes began too many sessions
 */
export async function beginSession(tx: Tx, wanted: NewSession, begin: Begin): Promise<BegunSession> {
  const { userId, apiKeyId, kind, method: by, byOperator = false } = wanted;
  const { now } = begin;
  const account = await findAccount(tx, userId);
  if (!account) throw new ApiError('UNAUTHORIZED', 'This account no longer exists');
  const token = makeToken();
  const networkAddress = shownAddress(begin.address);
  const origin = { userId, apiKeyId, kind, method: by, byOperator };
  const most = by === 'key' ? MOST_OF_KEY : MOST_SESSIONS;
  const options = { most: most - 1, now, unusedSince: placesFreeSince(wanted, now) };
  if (!(await makeRoom(tx, origin, options))) throw tooMany(wanted, most);
  const session = await insertSession(tx, {
    ...wanted,
    scopes: [...wanted.scopes],
    tokenHash: hashOf(token),
    createdAt: now,
    lastUsedAt: now,
    lastAddress: networkAddress,
    lastUserAgent: shownUserAgent(begin.userAgent),
    expiresAt: expiryOf(kind, now),
  });
  const { method, label, role } = session;
  await recordAudit(tx, {
    ...{ userId, action: 'signed_in', at: now, target: { kind: 'session', id: session.id } },
    actor: { kind: 'session', id: session.id, networkAddress },
    details: { method, kind, role, label },
  });
  return { account, session, token };
}

/**
 * Whose session a new one may end: it must not have been used since then. Whoever sends the same password or key ends a session
 * of their own. Codes are given to other people, so that only a session counts that somebody has left; nobody may be there to
 * sign a screen in again.
 */
function placesFreeSince({ kind, method }: NewSession, now: Date): Date | null {
  if (method !== 'code') return now;
  return kind === 'screen' ? null : daysBefore(now, UNUSED_DAYS);
}

function tooMany({ kind, byOperator }: NewSession, most: number): ApiError {
  const what = `${kind === 'screen' ? 'screens' : 'people'} signed in by ${byOperator ? 'a link of the operator' : 'a code'}`;
  const message = `This account has ${most} ${what}, and no more may be: end a session that is no longer needed (DELETE /sessions/{id}), then use this code again`;
  return new ApiError('LIMIT_REACHED', message, [{ path: '', message, reason: 'code_sessions' }]);
}

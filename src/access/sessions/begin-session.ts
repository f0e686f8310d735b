import { recordAudit } from '../../audit/record-audit.ts';
import { ApiError } from '../../http/errors.ts';
import { shownAddress } from '../../http/server/client-network.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { SessionKind, SignInMethod } from '../../platform/prisma-client/enums.ts';
import { type Account, findAccount } from '../user.store.ts';
import type { Grant } from './grant.ts';
import { insertSession, type ListedSession, removeBeyond } from './session.store.ts';
import { hashOf, makeToken } from './session-token.ts';
import { shownUserAgent } from './shown-client.ts';

const PERSON_DAYS = 30;
/** Sessions of one kind and origin that a user can have, also revoked ones; one more removes the one that was used longest ago. */
const MOST_SESSIONS = 200;
/** The same of sessions that come from one API key. */
const MOST_OF_KEY = 50;

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

/** Call it under `lockUser`. @throws ApiError UNAUTHORIZED when the user was deleted meanwhile */
export async function beginSession(tx: Tx, wanted: NewSession, begin: Begin): Promise<BegunSession> {
  const { userId, apiKeyId, kind, method: by, byOperator = false } = wanted;
  const most = (apiKeyId === null ? MOST_SESSIONS : MOST_OF_KEY) - 1;
  const { now } = begin;
  const account = await findAccount(tx, userId);
  if (!account) throw new ApiError('UNAUTHORIZED', 'This account no longer exists');
  const token = makeToken();
  const networkAddress = shownAddress(begin.address);
  await removeBeyond(tx, { userId, apiKeyId, kind, method: by, byOperator, most });
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

import type { z } from 'zod';
import { presentAccount } from '../account/present.ts';
import type { Account } from '../user.store.ts';
import { scopesOfGrant } from './grant.ts';
import type { session, signedIn } from './schema.ts';
import type { ListedSession } from './session.store.ts';

interface Viewer {
  /** Whether the user of the session is an administrator. */
  readonly isAdmin: boolean;
  /** The session of the call; null if the call has an API key. */
  readonly sessionId: string | null;
}

/** A session as the API shows it. */
export const presentSession = (row: ListedSession, viewer: Viewer): z.input<typeof session> => ({
  id: row.id,
  kind: row.kind,
  role: row.role,
  scopes: [...scopesOfGrant(row, viewer.isAdmin)],
  method: row.method,
  label: row.label,
  isCurrent: row.id === viewer.sessionId,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt.toISOString(),
  lastAddress: row.lastAddress,
  lastUserAgent: row.lastUserAgent,
  expiresAt: row.expiresAt?.toISOString() ?? null,
});

/** Who is signed in by a session. */
export function presentSignedIn(account: Account, row: ListedSession): z.input<typeof signedIn> {
  const shown = presentSession(row, { isAdmin: account.isAdmin, sessionId: row.id });
  return { user: presentAccount(account), scopes: shown.scopes, session: shown };
}

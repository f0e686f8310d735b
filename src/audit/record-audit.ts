import type { Caller } from '../http/permission.ts';
import { shownAddress } from '../http/server/client-network.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tx } from '../platform/database/db.ts';
import { insertEntry } from './audit.store.ts';
import type { Actor, AuditNote } from './audit-note.ts';

export type { Actor, AuditNote };

/** A command of the command line. */
export const OPERATOR: Actor = { kind: 'operator', id: null, networkAddress: null };
/** A job of the service. */
export const SYSTEM: Actor = { kind: 'system', id: null, networkAddress: null };

/** A user who is calling for their own data. @param client of the request, for its network address */
export const actorOf = (
  { sessionId, keyId }: Pick<Caller, 'keyId' | 'sessionId'>,
  client?: { readonly address: string | null },
): Actor => ({
  ...(sessionId === null ? { kind: 'key', id: keyId } : { kind: 'session', id: sessionId }),
  networkAddress: shownAddress(client?.address),
});

/** Who does it, and when. */
export const byOf = (
  { clock }: { readonly clock: Clock },
  ...who: Parameters<typeof actorOf>
): { actor: Actor; at: Date } => ({ actor: actorOf(...who), at: clock.now() });

/** A caller who changes something of another user. */
export const administrator = (
  { userId }: Pick<Caller, 'userId'>,
  client?: { readonly address: string | null },
): Actor => ({ kind: 'administrator', id: userId, networkAddress: shownAddress(client?.address) });

/** Somebody without a key or session. */
export const strangerAt = (address: string | null): Actor => ({
  kind: 'address',
  id: null,
  networkAddress: shownAddress(address),
});

/** Adds an entry to the audit log. Call it in the transaction of what it records, so that neither exists without the other. */
export const recordAudit = (tx: Tx, note: AuditNote): Promise<void> => insertEntry(tx, note);

import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Scope } from '../http/permission.ts';
import type { Tx } from '../platform/database/db.ts';
import { insertKey, type ListedKey } from './api-key.store.ts';
import { makeApiKey } from './api-key.ts';

/** @returns the key, which is available only now, and the columns that may be shown later */
export async function createKey(
  db: Tx,
  options: {
    userId: string;
    /** Key that creates this one; null or absent if no key does. */
    parentId?: string | null;
    name: string;
    scopes: readonly Scope[];
    expiresAt?: Date | null;
  },
): Promise<ListedKey & { key: string }> {
  const { key, ...stored } = makeApiKey();
  const row = await insertKey(db, {
    ...stored,
    userId: options.userId,
    parentId: options.parentId ?? null,
    name: options.name,
    scopes: [...options.scopes],
    expiresAt: options.expiresAt ?? null,
  });
  return { ...row, key };
}

/** Writes into the audit log who created a key, in the transaction that creates it. */
export async function recordNewKey(
  tx: Tx,
  { id, name, scopes }: Pick<ListedKey, 'id' | 'name' | 'scopes'>,
  { userId, by, at }: { userId: string; by: Actor; at: Date },
): Promise<void> {
  const about = { target: { kind: 'api_key', id }, details: { name, scopes } };
  await recordAudit(tx, { userId, actor: by, action: 'api_key_created', ...about, at });
}

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

import type { Scope } from '../http/permission.ts';
import type { Db } from '../platform/db.ts';
import { insertKey, type ListedKey } from './api-key.store.ts';
import { makeApiKey } from './api-key.ts';

/** @returns the key itself, which can be shown only now, and what may be shown of it later */
export async function createKey(
  db: Db,
  options: { userId: string; name: string; scopes: readonly Scope[]; expiresAt?: Date | null },
): Promise<ListedKey & { key: string }> {
  const { key, ...stored } = makeApiKey();
  const row = await insertKey(db, {
    ...stored,
    userId: options.userId,
    name: options.name,
    scopes: [...options.scopes],
    expiresAt: options.expiresAt ?? null,
  });
  return { ...row, key };
}

import type { Db } from '../platform/db.ts';

/** What authentication needs to know of a key. */
export interface StoredKey {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: Uint8Array;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** @returns null also when its user is deleted */
export function findKey(db: Db, keyId: string): Promise<StoredKey | null> {
  return db.apiKey.findFirst({
    where: { keyId, user: { deletedAt: null } },
    select: {
      id: true,
      userId: true,
      secretHash: true,
      scopes: true,
      expiresAt: true,
      revokedAt: true,
      lastUsedAt: true,
    },
  });
}

export async function insertKey(
  db: Db,
  key: {
    userId: string;
    name: string;
    keyId: string;
    secretHash: Uint8Array<ArrayBuffer>;
    last4: string;
    scopes: string[];
    expiresAt: Date | null;
  },
): Promise<{ id: string }> {
  return db.apiKey.create({ data: key, select: { id: true } });
}

export async function touchKey(db: Db, id: string, at: Date): Promise<void> {
  await db.apiKey.updateMany({ where: { id }, data: { lastUsedAt: at } });
}

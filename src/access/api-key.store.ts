import { type Actor, recordAudit } from '../audit/record-audit.ts';
import { NEWEST_FIRST, type Page, type PageQuery, pageOf, rowsOf } from '../http/paging.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import type { ApiKey, Prisma } from '../platform/prisma-client/client.ts';
import { lockUser } from './user-cap.ts';

/** The columns of a key that authentication needs. */
const STORED = {
  ...{ id: true, userId: true, secretHash: true, scopes: true },
  ...{ expiresAt: true, revokedAt: true, lastUsedAt: true },
} as const;
export type StoredKey = Pick<ApiKey, keyof typeof STORED>;

/** @returns null also when the user is deleted */
export const findKey = (db: Db, keyId: string): Promise<StoredKey | null> =>
  db.apiKey.findFirst({ where: { keyId, user: { deletedAt: null } }, select: STORED });

/** The columns of a key that may be shown. */
const LISTED = {
  ...{ id: true, name: true, keyId: true, last4: true, scopes: true },
  ...{ expiresAt: true, lastUsedAt: true, createdAt: true },
} as const;
export type ListedKey = Pick<ApiKey, keyof typeof LISTED>;

/** The keys of a user that are not revoked, newest first. */
export async function listKeys(db: Db, userId: string, page: PageQuery): Promise<Page<ListedKey>> {
  const where = { userId, revokedAt: null };
  return pageOf(
    db.apiKey.findMany({ where, select: LISTED, orderBy: NEWEST_FIRST, ...rowsOf(page) }),
    db.apiKey.count({ where }),
  );
}

/**
 * Revokes a key and every key that was created with it, directly or through other keys.
 * @returns false when the user has no such key that is not revoked
 */
export function revokeKey(
  db: Db,
  { userId, id, at }: { userId: string; id: string; at: Date },
  by: Actor,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    // With the lock, a child key that is created at the same time is either refused or revoked.
    await lockUser(tx, userId);
    const revoked = await tx.$executeRaw`
      WITH RECURSIVE family AS (
        SELECT id FROM "ApiKey" WHERE id = ${id}::uuid AND "userId" = ${userId}::uuid AND "revokedAt" IS NULL
        UNION ALL
        SELECT child.id FROM "ApiKey" child JOIN family ON child."parentId" = family.id)
      UPDATE "ApiKey" SET "revokedAt" = ${at}
      FROM family WHERE "ApiKey".id = family.id AND "ApiKey"."revokedAt" IS NULL`;
    if (revoked === 0) return false;
    const target = { kind: 'api_key', id };
    await recordAudit(tx, {
      userId,
      actor: by,
      action: 'api_key_revoked',
      target,
      details: { keys: revoked },
      at,
    });
    return true;
  });
}

/** Number of keys of a user that are not revoked. */
export const countKeys = (tx: Tx, userId: string): Promise<number> =>
  tx.apiKey.count({ where: { userId, revokedAt: null } });

/** What a child key inherits from its parent; call under `lockUser`. @returns null when the parent is revoked or deleted */
export async function findParent(tx: Tx, id: string): Promise<{ expiresAt: Date | null } | null> {
  return tx.apiKey.findFirst({ where: { id, revokedAt: null }, select: { expiresAt: true } });
}

export const insertKey = (db: Tx, data: Prisma.ApiKeyUncheckedCreateInput): Promise<ListedKey> =>
  db.apiKey.create({ data, select: LISTED });

export async function touchKey(db: Db, id: string, at: Date): Promise<void> {
  await db.apiKey.updateMany({ where: { id }, data: { lastUsedAt: at } });
}

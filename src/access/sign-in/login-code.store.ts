import type { Tx } from '../../platform/database/db.ts';
import type { LoginCode, Prisma } from '../../platform/prisma-client/client.ts';

export const insertCode = (tx: Tx, data: Prisma.LoginCodeUncheckedCreateInput): Promise<{ id: string }> =>
  tx.loginCode.create({ data, select: { id: true } });

/** Number of codes of a user that can still be used. */
export const countCodes = (tx: Tx, userId: string, now: Date): Promise<number> =>
  tx.loginCode.count({ where: { userId, expiresAt: { gt: now } } });

export async function findUserOfCode(db: Tx, codeHash: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const row = await db.loginCode.findUnique({ where: { codeHash }, select: { userId: true } });
  return row?.userId ?? null;
}

export type UsedCode = Pick<LoginCode, 'apiKeyId' | 'kind' | 'label' | 'role' | 'scopes' | 'userId'> & {
  /** Neither an API key nor a session has made the code, but the command line. */
  readonly byOperator: boolean;
};

/**
 * Uses a code up: of any number of calls with the same code only one gets it.
 * @returns null for a code that is unknown, used, too old, or whose API key was revoked or has expired
 */
export async function useCode(
  tx: Tx,
  codeHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<UsedCode | null> {
  const [used] = await tx.$queryRaw<UsedCode[]>`
    DELETE FROM "LoginCode" c WHERE c."codeHash" = ${codeHash} AND c."expiresAt" > ${now} AND NOT EXISTS (
      SELECT 1 FROM "ApiKey" k
      WHERE k.id = c."apiKeyId" AND (k."revokedAt" IS NOT NULL OR k."expiresAt" <= ${now}))
    RETURNING c."userId", c."apiKeyId", c.kind::text AS kind, c.role::text AS role, c.scopes, c.label,
      c."apiKeyId" IS NULL AND c."sessionId" IS NULL AS "byOperator"`;
  return used ?? null;
}

/** Whether the session and the API key of a caller still work; call it under `lockUser`. */
export async function isStillThere(
  tx: Tx,
  { sessionId, keyId }: { sessionId: string | null; keyId: string | null },
): Promise<boolean> {
  const [session, key] = await Promise.all([
    sessionId === null ? 1 : tx.session.count({ where: { id: sessionId, revokedAt: null } }),
    keyId === null ? 1 : tx.apiKey.count({ where: { id: keyId, revokedAt: null } }),
  ]);
  return session > 0 && key > 0;
}

export interface FoundKey {
  readonly id: string;
  readonly userId: string;
  readonly scopes: string[];
}

/** An API key that works and has this secret. */
export async function findWorkingKey(
  db: Tx,
  { keyId, secretHash, now }: { keyId: string; secretHash: Uint8Array<ArrayBuffer>; now: Date },
): Promise<FoundKey | null> {
  return db.apiKey.findFirst({
    where: {
      ...{ keyId, secretHash, revokedAt: null, user: { deletedAt: null } },
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
    select: { id: true, userId: true, scopes: true },
  });
}

import type { Db, Tx } from '../../platform/database/db.ts';

/** Codes of APIs that were started while there is no user; the newest are kept. */
const MOST_CODES = 20;

export async function hasUsers(db: Tx): Promise<boolean> {
  return (await db.user.findFirst({ where: { deletedAt: null }, select: { id: true } })) !== null;
}

/** Stores the code that an API prints. */
export async function insertSetupCode(
  db: Db,
  code: { codeHash: Uint8Array<ArrayBuffer>; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db.$transaction([
    db.setupCode.create({ data: code }),
    db.$executeRaw`
      DELETE FROM "SetupCode" WHERE "codeHash" IN (
        SELECT "codeHash" FROM "SetupCode" ORDER BY "createdAt" DESC OFFSET ${MOST_CODES})`,
  ]);
}

export async function isSetupCode(db: Tx, codeHash: Uint8Array<ArrayBuffer>, now: Date): Promise<boolean> {
  return (await db.setupCode.count({ where: { codeHash, expiresAt: { gt: now } } })) > 0;
}

/** Until the end of the transaction nobody else creates a user. */
export async function lockUsers(tx: Tx): Promise<void> {
  await tx.$executeRaw`LOCK TABLE "User" IN SHARE ROW EXCLUSIVE MODE`;
}

/** Uses all codes up. @returns whether this one was among them */
export async function useSetupCodes(tx: Tx, codeHash: Uint8Array<ArrayBuffer>, now: Date): Promise<boolean> {
  const isValid = await isSetupCode(tx, codeHash, now);
  if (isValid) await tx.setupCode.deleteMany();
  return isValid;
}

export async function insertFirstAdmin(
  tx: Tx,
  data: { email: string; name: string | null; timezone: string | null; passwordHash: string },
): Promise<string> {
  const { id } = await tx.user.create({ data: { ...data, isAdmin: true }, select: { id: true } });
  return id;
}

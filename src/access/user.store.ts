import { containing } from '../http/fields.ts';
import { NEWEST_FIRST, type Page, type PageQuery, pageOf, rowsOf } from '../http/paging.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db, Tx } from '../platform/database/db.ts';
import type { BlurPeople, User as UserRow } from '../platform/prisma-client/client.ts';

const COLUMNS = {
  ...{ id: true, email: true, name: true },
  ...{ isAdmin: true, createdAt: true, updatedAt: true },
} as const;
export type User = Pick<UserRow, keyof typeof COLUMNS>;

const ACCOUNT = {
  ...COLUMNS,
  ...{ timezone: true, locale: true, blurPeople: true, attributeGroups: true, passwordHash: true },
} as const;
/** A user as the account shows it, with the hash of the password. */
export type Account = Pick<UserRow, keyof typeof ACCOUNT>;

export const findAccount = (db: Tx, id: string): Promise<Account | null> =>
  db.user.findFirst({ where: { id, deletedAt: null }, select: ACCOUNT });

/** The user with this address. Phones write the first letter large, so the address in lower case is tried too. */
export async function findByEmail(db: Db, email: string): Promise<Account | null> {
  const found = await db.user.findMany({
    where: { email: { in: [email, email.toLowerCase()] }, deletedAt: null },
    select: ACCOUNT,
  });
  return found.find((user) => user.email === email) ?? found[0] ?? null;
}

/** What is hidden of people in pictures of a user. */
export async function readBlurPeople(db: Tx, id: string): Promise<BlurPeople> {
  const user = await db.user.findUnique({ where: { id }, select: { blurPeople: true } });
  return user?.blurPeople ?? 'none';
}

export type AccountChange = Partial<
  Pick<Account, 'attributeGroups' | 'blurPeople' | 'locale' | 'name' | 'passwordHash' | 'timezone'>
>;

/** @returns null when the user is deleted */
export async function changeAccount(tx: Tx, id: string, change: AccountChange): Promise<Account | null> {
  const [changed] = await tx.user.updateManyAndReturn({
    where: { id, deletedAt: null },
    data: change,
    select: ACCOUNT,
  });
  return changed ?? null;
}

export function findUser(db: Db, email: string): Promise<User | null> {
  return db.user.findFirst({ where: { email, deletedAt: null }, select: COLUMNS });
}

export function findUserById(db: Db, id: string): Promise<User | null> {
  return db.user.findFirst({ where: { id, deletedAt: null }, select: COLUMNS });
}

/** @returns null when the user already exists, also if another call created it at the same time */
export async function insertUser(
  db: Tx,
  user: { email: string; name?: string | null; isAdmin: boolean },
): Promise<User | null> {
  const [created] = await db.user.createManyAndReturn({
    data: [user],
    skipDuplicates: true,
    select: COLUMNS,
  });
  return created ?? null;
}

/** All users, newest first. @param q part of the email or name */
export async function listUsers(
  db: Db,
  { q, ...page }: PageQuery & { q?: string | undefined },
): Promise<Page<User>> {
  const contains = q ? containing(q) : undefined;
  const where = { deletedAt: null, ...(contains && { OR: [{ email: contains }, { name: contains }] }) };
  return pageOf(
    db.user.findMany({ where, select: COLUMNS, orderBy: NEWEST_FIRST, ...rowsOf(page) }),
    db.user.count({ where }),
  );
}

export async function makeAdmin(tx: Tx, id: string): Promise<void> {
  await tx.user.update({ where: { id }, data: { isAdmin: true } });
}

/**
 * Deletes a user; foreign keys delete all rows of the user. API keys, sessions and codes are deleted first, so that no call can use them. Scenes
 * are deleted one by one, because one may have millions of rows. A second call continues after an interruption.
 */
export async function eraseUser(db: Db, id: string): Promise<void> {
  // Rows that name the user but do not belong to it.
  await db.$executeRaw`
    DELETE FROM "RateLimit" r USING (
      SELECT ${id}::text AS id UNION ALL SELECT k.id::text FROM "ApiKey" k WHERE k."userId" = ${id}::uuid
      UNION ALL SELECT s.id::text FROM "Session" s WHERE s."userId" = ${id}::uuid) mine
    WHERE strpos(r.key, mine.id) > 0`;
  await db.$transaction([
    // First, because this locks the user: whoever signs in at this moment is either refused or removed below.
    db.user.updateMany({ where: { id }, data: { passwordHash: null } }),
    db.loginCode.deleteMany({ where: { userId: id } }),
    db.session.deleteMany({ where: { userId: id } }),
    db.apiKey.deleteMany({ where: { userId: id } }),
    db.$executeRaw`DELETE FROM "Announcement" WHERE "userIds" = ARRAY[${id}::uuid]`,
    // An announcement to only this user was deleted above: an empty list would mean all users.
    db.$executeRaw`
      UPDATE "Announcement" SET "userIds" = array_remove("userIds", ${id}::uuid) WHERE ${id}::uuid = ANY("userIds")`,
    db.announcement.updateMany({ where: { createdBy: id }, data: { createdBy: null } }),
    // Schedules start no more runs for deleted devices.
    db.$executeRaw`UPDATE "Device" SET "deletedAt" = clock_timestamp() WHERE "userId" = ${id}::uuid`,
  ]);
  for (;;) {
    const scene = await db.scene.findFirst({ where: { userId: id }, select: { id: true } });
    if (!scene) break;
    // Runs first, in the lock order of their nodes; later writes of a node then find no lease.
    await retryDeadlocks(() => db.analysisTask.deleteMany({ where: { sceneId: scene.id } }));
    await retryDeadlocks(() => db.scene.deleteMany({ where: { id: scene.id } }));
  }
  await retryDeadlocks(() => db.user.deleteMany({ where: { id } }));
}

const TRIES = 5;

/** Retries after a deadlock: other writes for this user may lock the rows in another order. */
async function retryDeadlocks(erase: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await erase();
      return;
    } catch (error) {
      if (!isDatabaseBusy(error) || tried === TRIES) throw error;
    }
  }
}

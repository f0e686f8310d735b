import { NEWEST_FIRST, type Page, type PageQuery, pageOf, rowsOf } from '../http/paging.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import type { Db, Tx } from '../platform/database/db.ts';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly isAdmin: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = {
  id: true,
  email: true,
  name: true,
  isAdmin: true,
  createdAt: true,
  updatedAt: true,
} as const;

export function findUser(db: Db, email: string): Promise<User | null> {
  return db.user.findFirst({ where: { email, deletedAt: null }, select: COLUMNS });
}

/** @returns null when there is such a user already, however close the race */
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

/** Every user, newest first. @param q part of the email or name */
export async function listUsers(
  db: Db,
  { q, ...page }: PageQuery & { q?: string | undefined },
): Promise<Page<User>> {
  const contains = q ? { contains: q, mode: 'insensitive' as const } : undefined;
  const where = { deletedAt: null, ...(contains && { OR: [{ email: contains }, { name: contains }] }) };
  return pageOf(
    db.user.findMany({ where, select: COLUMNS, orderBy: NEWEST_FIRST, ...rowsOf(page) }),
    db.user.count({ where }),
  );
}

export async function makeAdmin(db: Db, id: string): Promise<void> {
  await db.user.update({ where: { id }, data: { isAdmin: true } });
}

/**
 * Every row of the user goes with it, by foreign keys. Nobody can call in its name from the first statement on; each scene
 * goes by itself, since it may have millions of rows. A second call goes on where one was cut short.
 */
export async function eraseUser(db: Db, id: string): Promise<void> {
  // What names the user without belonging to it.
  await db.$executeRaw`
    DELETE FROM "RateLimit" r USING (
      SELECT ${id}::text AS id UNION ALL SELECT k.id::text FROM "ApiKey" k WHERE k."userId" = ${id}::uuid) mine
    WHERE strpos(r.key, mine.id) > 0`;
  await db.$transaction([
    db.apiKey.deleteMany({ where: { userId: id } }),
    db.$executeRaw`DELETE FROM "Announcement" WHERE "userIds" = ARRAY[${id}::uuid]`,
    // Never to an empty list, which means everybody.
    db.$executeRaw`
      UPDATE "Announcement" SET "userIds" = array_remove("userIds", ${id}::uuid) WHERE ${id}::uuid = ANY("userIds")`,
    db.announcement.updateMany({ where: { createdBy: id }, data: { createdBy: null } }),
    // No schedule starts anything any more.
    db.$executeRaw`UPDATE "Device" SET "deletedAt" = clock_timestamp() WHERE "userId" = ${id}::uuid`,
  ]);
  for (;;) {
    const scene = await db.scene.findFirst({ where: { userId: id }, select: { id: true } });
    if (!scene) break;
    // The run first, as its node locks it: what the node still writes finds no lease.
    await patiently(() => db.analysisTask.deleteMany({ where: { sceneId: scene.id } }));
    await patiently(() => db.scene.deleteMany({ where: { id: scene.id } }));
  }
  await patiently(() => db.user.deleteMany({ where: { id } }));
}

const TRIES = 5;

/** What is still written of a user can lock its rows in another order, and then PostgreSQL ends one of the two. */
async function patiently(erase: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await erase();
      return;
    } catch (error) {
      if (!isDatabaseBusy(error) || tried === TRIES) throw error;
    }
  }
}

import { type Page, type PageQuery, rowsOf } from '../http/paging.ts';
import type { Db, Tx } from '../platform/db.ts';

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
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const [items, total] = await Promise.all([
    db.user.findMany({ where, select: COLUMNS, orderBy, ...rowsOf(page) }),
    db.user.count({ where }),
  ]);
  return { items, total };
}

export async function makeAdmin(db: Db, id: string): Promise<void> {
  await db.user.update({ where: { id }, data: { isAdmin: true } });
}

/** Every row of the user goes with it. */
export async function eraseUser(db: Db, id: string): Promise<void> {
  await db.user.deleteMany({ where: { id } });
}

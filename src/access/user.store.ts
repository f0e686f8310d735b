import type { Db } from '../platform/db.ts';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly isAdmin: boolean;
}

const COLUMNS = { id: true, email: true, isAdmin: true } as const;

export function findUser(db: Db, email: string): Promise<User | null> {
  return db.user.findFirst({ where: { email, deletedAt: null }, select: COLUMNS });
}

/** @returns null when there is such a user already, however close the race */
export async function insertUser(db: Db, user: { email: string; isAdmin: boolean }): Promise<User | null> {
  const [created] = await db.user.createManyAndReturn({
    data: [user],
    skipDuplicates: true,
    select: COLUMNS,
  });
  return created ?? null;
}

export async function makeAdmin(db: Db, id: string): Promise<void> {
  await db.user.update({ where: { id }, data: { isAdmin: true } });
}

/** Every row of the user goes with it. */
export async function eraseUser(db: Db, id: string): Promise<void> {
  await db.user.deleteMany({ where: { id } });
}

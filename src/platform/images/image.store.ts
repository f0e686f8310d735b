import type { Db } from '../db.ts';

const STORAGE_ID = 'storageId';

/** The storage that pictures of this database lie in; null as long as there was none. */
export async function expectedStorageId(db: Db): Promise<string | null> {
  const setting = await db.setting.findUnique({ where: { key: STORAGE_ID } });
  return typeof setting?.value === 'string' ? setting.value : null;
}

/** The first one stays. @returns the one that counts */
export async function expectStorageId(db: Db, id: string): Promise<string> {
  await db.setting.createMany({ data: { key: STORAGE_ID, value: id }, skipDuplicates: true });
  return (await expectedStorageId(db)) ?? id;
}

/** Forgets pictures stored before a day, `YYYY-MM-DD`. @returns how many; `atMost` means that there may be more */
export function forgetImagesBefore(
  db: Db,
  { day, atMost }: { day: string; atMost: number },
): Promise<number> {
  // Keys begin with their day.
  return db.$executeRaw`
    DELETE FROM "StoredImage" WHERE id IN (
      SELECT id FROM "StoredImage" WHERE "objectKey" < ${day} LIMIT ${atMost})`;
}

/** Keys of a user's pictures, the first so many. */
export async function imageKeysOf(db: Db, userId: string, atMost: number): Promise<string[]> {
  const rows = await db.storedImage.findMany({
    where: { userId },
    take: atMost,
    select: { objectKey: true },
  });
  return rows.map(({ objectKey }) => objectKey);
}

export async function forgetImages(db: Db, keys: readonly string[]): Promise<void> {
  await db.storedImage.deleteMany({ where: { objectKey: { in: [...keys] } } });
}

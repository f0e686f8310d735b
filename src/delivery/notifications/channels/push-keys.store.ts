import type { Db } from '../../../platform/database/db.ts';

const PUSH_KEYS = 'pushKeys';

/** The keys with which push services recognise this installation. */
export interface StoredPushKeys {
  readonly publicKey: string;
  readonly privateKeyEncrypted: string;
}

/** @param made stored unless there are keys already @returns the keys that all programs use */
export async function storedPushKeys(db: Db, make: () => StoredPushKeys): Promise<StoredPushKeys> {
  const known = await findPushKeys(db);
  if (known) return known;
  await db.setting.createMany({ data: { key: PUSH_KEYS, value: { ...make() } }, skipDuplicates: true });
  return (await findPushKeys(db))!;
}

/** @returns 1, or 0 when another program has changed them meanwhile */
export async function replacePushKeys(db: Db, was: StoredPushKeys, value: StoredPushKeys): Promise<number> {
  const { count } = await db.setting.updateMany({
    where: { key: PUSH_KEYS, value: { equals: { ...was } } },
    data: { value: { ...value } },
  });
  return count;
}

/** @returns null before a browser has asked for them */
export async function findPushKeys(db: Db): Promise<StoredPushKeys | null> {
  const setting = await db.setting.findUnique({ where: { key: PUSH_KEYS } });
  return (setting?.value ?? null) as StoredPushKeys | null;
}

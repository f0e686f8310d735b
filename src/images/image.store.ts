import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../platform/database/db.ts';
import type { ImageKind } from '../platform/prisma-client/client.ts';

const STORAGE_ID = 'storageId';
const DATABASE_ID = 'databaseId';
const SWEEP = 'imageSweep';

/** Id of the storage of this database's images; null while there is none. */
export async function expectedStorageId(db: Db): Promise<string | null> {
  const setting = await db.setting.findUnique({ where: { key: STORAGE_ID } });
  return typeof setting?.value === 'string' ? setting.value : null;
}

/** Registers a storage unless there is one. @returns the id of the registered storage */
export async function expectStorageId(db: Db, id: string): Promise<string> {
  await db.setting.createMany({ data: { key: STORAGE_ID, value: id }, skipDuplicates: true });
  return (await expectedStorageId(db)) ?? id;
}

/** Id of this database; a storage stores the id of the database it belongs to. */
export async function databaseId(db: Db): Promise<string> {
  await db.setting.createMany({ data: { key: DATABASE_ID, value: randomUUID() }, skipDuplicates: true });
  return String((await db.setting.findUniqueOrThrow({ where: { key: DATABASE_ID } })).value);
}

/** Progress of the search for images without a row. */
interface Sweep {
  /** The last checked key; empty at the start of a round. */
  readonly after: string;
  /** No program continues before this time. */
  readonly notBefore: Date;
}

/** Claims the search for this program until `claimedUntil`. @returns the key to continue after; null when it is not due */
export async function claimSweep(
  db: Db,
  { now, claimedUntil }: { now: Date; claimedUntil: Date },
): Promise<string | null> {
  const [claimed] = await db.$queryRaw<{ after: string }[]>`
    INSERT INTO "Setting" AS s (key, value, "updatedAt")
    VALUES (${SWEEP}, jsonb_build_object('after', '', 'notBefore', ${claimedUntil.toISOString()}::text), clock_timestamp())
    ON CONFLICT (key) DO UPDATE
      SET value = s.value || jsonb_build_object('notBefore', ${claimedUntil.toISOString()}::text), "updatedAt" = clock_timestamp()
      WHERE (s.value->>'notBefore')::timestamptz <= ${now}::timestamptz
    RETURNING value->>'after' AS after`;
  return claimed?.after ?? null;
}

export async function leaveSweep(db: Db, { after, notBefore }: Sweep): Promise<void> {
  await db.setting.update({
    where: { key: SWEEP },
    data: { value: { after, notBefore: notBefore.toISOString() } },
  });
}

/** The keys that have a row. */
export async function knownImages(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.storedImage.findMany({
    where: { objectKey: { in: [...keys] } },
    select: { objectKey: true },
  });
  return new Set(rows.map(({ objectKey }) => objectKey));
}

/** The users that exist. */
export async function knownUsers(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

export async function forgetImages(db: Db, keys: readonly string[]): Promise<void> {
  await db.storedImage.deleteMany({ where: { objectKey: { in: [...keys] } } });
}

/** An image that is in the storage and has no row yet. */
export interface AlertImage {
  readonly kind: ImageKind;
  readonly objectKey: string;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
}

/** The images of one frame. */
export interface FrameImages {
  readonly images: readonly AlertImage[];
  /** `Privacy.revision` for which they were made; null without images. */
  readonly privacyRevision: number | null;
}
export const NO_IMAGES: FrameImages = { images: [], privacyRevision: null };

/** Stores the rows of the images of an alert event. A repetition changes nothing. */
export async function insertImages(
  tx: Tx,
  images: readonly AlertImage[],
  { userId, alertEventId, capturedAt }: { userId: string; alertEventId: string; capturedAt: Date },
): Promise<void> {
  if (images.length === 0) return;
  await tx.storedImage.createMany({
    data: images.map((image) => ({ ...image, userId, alertEventId, capturedAt })),
    skipDuplicates: true,
  });
}

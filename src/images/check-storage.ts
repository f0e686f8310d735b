import { randomUUID } from 'node:crypto';
import type { Db } from '../platform/database/db.ts';
import type { ImageStore } from '../platform/images/image-store.ts';
import { databaseId, expectedStorageId, expectStorageId } from './image.store.ts';

/**
 * Checks at the start of a program that it uses the same storage as every other program of this database. The first storage
 * gets an id, which the database stores.
 * @throws Error one sentence that says what to do
 */
export async function checkImageStorage({ db, images }: { db: Db; images: ImageStore }): Promise<void> {
  const expected = await expectedStorageId(db);
  const found = await images.readId('storage-id').catch((error: Error) => {
    // The cause is left out, because an unreachable bucket must not look like an unreachable database.
    throw new Error(
      `${images.place} cannot be read (${error.message}): correct DATA_DIR or the S3 settings.`,
    );
  });
  if (expected === null) {
    const id = found ?? (await images.writeId('storage-id', randomUUID()).catch(cannotWrite(images)));
    if ((await expectStorageId(db, id)) === id) return;
  } else if (found === expected) return;
  throw new Error(
    `Images of this database are kept elsewhere than in ${images.place}: the API and every worker must use the ` +
      'same storage. On several machines set S3_BUCKET, the same everywhere; on one machine the same DATA_DIR. ' +
      'A storage that was moved must bring its file "storage-id" along; to begin anew with this one, delete the ' +
      'row "storageId" of the table "Setting".',
  );
}

const cannotWrite =
  ({ place }: ImageStore) =>
  (error: NodeJS.ErrnoException): never => {
    throw new Error(
      `${place} cannot be written (${error.code ?? error.message}): make it writable for this account, or correct DATA_DIR or the ` +
        'S3 settings. Images are kept there.',
    );
  };

/**
 * The same check for jobs that read or remove images in programs that do not check at their start. It does nothing while no
 * storage has been registered.
 * @throws Error as `checkImageStorage`
 */
export async function checkKnownStorage(parts: { db: Db; images: ImageStore }): Promise<void> {
  if ((await expectedStorageId(parts.db)) !== null) await checkImageStorage(parts);
}

/**
 * Whether the storage belongs to this database. Another database that uses the same storage by mistake has no rows of its
 * files and would remove all of them.
 */
export async function isOurs({ db, images }: { db: Db; images: ImageStore }): Promise<boolean> {
  const mine = await databaseId(db);
  const owner = (await images.readId('database-id')) ?? (await images.writeId('database-id', mine));
  return owner === mine;
}

/**
 * Whether a job may remove files without a row: the storage is registered, and it belongs to this database.
 * @throws Error as `checkImageStorage`
 */
export async function isOwnStorage(parts: { db: Db; images: ImageStore }): Promise<boolean> {
  if ((await expectedStorageId(parts.db)) === null) return false;
  await checkKnownStorage(parts);
  return isOurs(parts);
}

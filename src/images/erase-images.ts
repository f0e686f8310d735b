import type { Db } from '../platform/database/db.ts';
import type { ImageStore } from '../platform/images/image-store.ts';
import { forgetImages, imageKeysOf } from './image.store.ts';

const BATCH = 1_000;

/**
 * Removes every picture of a user: those with a row, whose keys may be of the time before keys named their user, then those
 * without one. A second call goes on where one was cut short.
 */
export async function eraseImagesOf(
  { db, images }: { db: Db; images: ImageStore },
  userId: string,
): Promise<void> {
  for (;;) {
    const keys = await imageKeysOf(db, userId, BATCH);
    if (keys.length === 0) break;
    await images.remove(keys);
    await forgetImages(db, keys);
  }
  await images.removeOf(userId);
}

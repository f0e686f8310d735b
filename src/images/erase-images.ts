import type { Db } from '../platform/database/db.ts';
import type { ImageStore } from '../platform/images/image-store.ts';
import { forgetImages, imageKeysOf } from './image.store.ts';

const BATCH = 1_000;

/**
 * Removes every image of a user: first the images with a row, whose old keys may not name the user, then the images without a
 * row; and then the user's recordings and exports. A second call continues after an interruption.
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
  await images.objects.removeOf(userId);
}

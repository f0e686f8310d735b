import type { Db } from '../db.ts';
import { forgetImages, imageKeysOf } from './image.store.ts';
import type { ImageStore } from './image-store.ts';

const BATCH = 1_000;

/** Removes every picture of a user; a second call goes on where one was cut short. */
export async function eraseImagesOf(
  { db, images }: { db: Db; images: ImageStore },
  userId: string,
): Promise<void> {
  for (;;) {
    const keys = await imageKeysOf(db, userId, BATCH);
    if (keys.length === 0) return;
    await images.remove(keys);
    await forgetImages(db, keys);
  }
}

import { checkKnownStorage } from '../../images/check-storage.ts';
import { forgetImages } from '../../images/image.store.ts';
import type { Context } from '../../platform/context.ts';
import { deletedScenes, imagesOfScene, markErased } from './deleted-scenes.store.ts';

const SCENES_AT_ONCE = 50;
const IMAGES_AT_ONCE = 500;
/** An image may come as late as a minute after its alert. */
const LATE_IMAGES_MS = 5 * 60_000;

type PictureContext = Pick<Context, 'clock' | 'db' | 'images'>;

/**
 * Erases the images of deleted scenes and devices: first the objects, then their rows. A scene is looked at until images of it
 * can come no more. A second call continues after an interruption.
 */
export async function erasePictures(context: PictureContext): Promise<void> {
  const { clock, db } = context;
  const scenes = await deletedScenes(db, SCENES_AT_ONCE);
  if (scenes.length === 0) return;
  await checkKnownStorage(context);
  for (const { id, deletedAt } of scenes) {
    await erasePicturesOf(context, id);
    const now = clock.now();
    if (now.getTime() - deletedAt.getTime() >= LATE_IMAGES_MS) await markErased(db, id, now);
  }
}

async function erasePicturesOf({ db, images }: PictureContext, sceneId: string): Promise<void> {
  for (;;) {
    const keys = await imagesOfScene(db, sceneId, IMAGES_AT_ONCE);
    if (keys.length === 0) return;
    await images.remove(keys);
    await forgetImages(db, keys);
  }
}

import { checkKnownStorage } from '../../images/check-storage.ts';
import { forgetImages } from '../../images/image.store.ts';
import type { Context } from '../../platform/context.ts';
import { deletedScenes, imagesOfDeletedAlerts, imagesOfScene, markErased } from './deleted-pictures.store.ts';

const SCENES_AT_ONCE = 50;
const IMAGES_AT_ONCE = 500;
/** An image may come as late as a minute after its alert. */
const LATE_IMAGES_MS = 5 * 60_000;
/** Longer than this job is ever away. Images of alert events that were deleted before end by retention. */
const DELETED_ALERTS_MS = 7 * 86_400_000;

type PictureContext = Pick<Context, 'clock' | 'db' | 'images'>;

/**
 * Erases the images of deleted alert events, scenes and devices: first the objects, then their rows. A scene is looked at until
 * images of it can come no more. A second call continues after an interruption.
 */
export async function erasePictures(context: PictureContext): Promise<void> {
  const { clock, db } = context;
  const since = new Date(clock.now().getTime() - DELETED_ALERTS_MS);
  await erase(context, () => imagesOfDeletedAlerts(db, since, IMAGES_AT_ONCE));
  const scenes = await deletedScenes(db, SCENES_AT_ONCE);
  for (const { id, deletedAt } of scenes) {
    await erase(context, () => imagesOfScene(db, id, IMAGES_AT_ONCE));
    const now = clock.now();
    if (now.getTime() - deletedAt.getTime() >= LATE_IMAGES_MS) await markErased(db, id, now);
  }
}

/** @param next keys of images that are not erased yet */
async function erase(context: PictureContext, next: () => Promise<string[]>): Promise<void> {
  for (let keys = await next(); keys.length > 0; keys = await next()) {
    // Rows must stay while their images cannot be removed.
    await checkKnownStorage(context);
    await context.images.remove(keys);
    await forgetImages(context.db, keys);
  }
}

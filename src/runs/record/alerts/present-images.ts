import { findPrivacyRevision } from '../../../cameras/devices/privacy.store.ts';
import type { AlertImage, FrameImages } from '../../../images/image.store.ts';
import type { Tx } from '../../../platform/database/db.ts';
import type { ImageStore } from '../../../platform/images/image-store.ts';

/**
 * The images of an alert that may be stored: none when the masks of the device have changed since they were made. Then they
 * are removed, also if the transaction fails, because nobody may ever see them.
 */
export async function presentImages(
  tx: Tx,
  { deviceId, store }: { deviceId: string; store: Pick<ImageStore, 'remove'> },
  { images, privacyRevision }: FrameImages,
): Promise<readonly AlertImage[]> {
  if (images.length === 0) return images;
  if ((await findPrivacyRevision(tx, deviceId)) === privacyRevision) return images;
  // If this fails, the sweep removes them, because no row names them.
  void store.remove(images.map(({ objectKey }) => objectKey)).catch(() => undefined);
  return [];
}

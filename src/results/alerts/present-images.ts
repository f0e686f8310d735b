import { findPrivacyRevision } from '../../devices/privacy.store.ts';
import type { AlertImage, FrameImages } from '../../images/image.store.ts';
import type { Tx } from '../../platform/database/db.ts';

/**
 * The images of an alert that may be stored: none when the masks of the device have changed since they were made.
 * The sweep removes images without a row.
 */
export async function presentImages(
  tx: Tx,
  deviceId: string,
  { images, privacyRevision }: FrameImages,
): Promise<readonly AlertImage[]> {
  if (images.length === 0) return images;
  return (await findPrivacyRevision(tx, deviceId)) === privacyRevision ? images : [];
}

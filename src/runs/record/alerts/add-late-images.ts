import { settleImages } from '../../../alerts/event.store.ts';
import { type FrameImages, insertImages } from '../../../images/image.store.ts';
import { imagesSettled } from '../../../insights/images-settled.ts';
import { presentImages } from './present-images.ts';
import type { AlertContext } from './record-alert.ts';

/**
 * Adds images that were stored after their alert to the alert and to its insight, which may wait for them. The webhook is
 * already sent and does not change. A repeated call changes nothing.
 * @param images empty when no images will come: then nobody waits for them any longer
 * @returns false when the alert was deleted
 */
export function addLateImages(
  { db, queue, clock, images: store }: AlertContext,
  alertEventId: string,
  images: FrameImages,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const alert = await settleImages(tx, alertEventId);
    if (!alert) return false;
    const { userId, deviceId, triggeredAt: capturedAt } = alert;
    await insertImages(tx, await presentImages(tx, { deviceId, store }, images), {
      userId,
      alertEventId,
      capturedAt,
    });
    await imagesSettled(tx, alertEventId, { queue, now: clock.now() });
    return true;
  });
}

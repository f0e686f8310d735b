import { type AlertImage, insertImages } from '../../alerts/firing.store.ts';
import { imagesSettled } from '../../insights/images-settled.ts';
import type { AlertContext } from './record-alert.ts';

/**
 * Adds pictures that came after their alert was recorded, to the alert and so to its insight, which may be waiting for them.
 * The webhook is sent already and stays as it was. The same again changes nothing.
 * @param pictures none: they will not come any more, and nobody need wait for them
 * @returns false when the alert is gone
 */
export function addLatePictures(
  { db, queue, clock }: AlertContext,
  alertEventId: string,
  pictures: readonly AlertImage[],
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const [alert] = await tx.alertEvent.updateManyAndReturn({
      where: { id: alertEventId, deletedAt: null },
      data: { awaitsPictures: false },
      select: { userId: true, triggeredAt: true },
    });
    if (!alert) return false;
    const { userId, triggeredAt: capturedAt } = alert;
    await insertImages(tx, pictures, { userId, alertEventId, capturedAt });
    await imagesSettled(tx, alertEventId, { queue, now: clock.now() });
    return true;
  });
}

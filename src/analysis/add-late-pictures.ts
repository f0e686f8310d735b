import { insertPictures, type StoredPicture } from '../alerts/firing.store.ts';
import { pictureArrived } from '../insights/picture-arrived.ts';
import type { AlertContext } from './record-alert.ts';

/**
 * Adds pictures that came after their alert was recorded, to the alert and so to its insight, which may be waiting for them.
 * The webhook is sent already and stays as it was. The same again changes nothing.
 * @returns false when the alert is gone
 */
export function addLatePictures(
  { db, queue, clock }: AlertContext,
  alertEventId: string,
  pictures: readonly StoredPicture[],
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const alert = await tx.alertEvent.findFirst({
      where: { id: alertEventId, deletedAt: null },
      select: { userId: true, triggeredAt: true },
    });
    if (!alert) return false;
    const { userId, triggeredAt: capturedAt } = alert;
    await insertPictures(tx, pictures, { userId, alertEventId, capturedAt });
    await pictureArrived(tx, alertEventId, { queue, now: clock.now() });
    return true;
  });
}

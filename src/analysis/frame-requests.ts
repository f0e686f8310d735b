import type { Db } from '../platform/db.ts';
import { completeFrameRequests, pendingFrameRequests } from './frame-request.store.ts';

/** Answers whoever waits for a picture of a device that this node streams: all of them with one picture. */
export async function answerFrameRequests(
  db: Db,
  deviceId: string,
  picture: () => Promise<Uint8Array | null>,
): Promise<void> {
  const ids = await pendingFrameRequests(db, deviceId);
  if (ids.length > 0) await completeFrameRequests(db, ids, await picture());
}

import type { Db } from '../platform/db.ts';

/** Older ones are not waited for any more. */
const WAITED_FOR_MS = 10_000;

export async function pendingFrameRequests(db: Db, deviceId: string): Promise<string[]> {
  const createdAt = { gte: new Date(Date.now() - WAITED_FOR_MS) };
  const rows = await db.frameRequest.findMany({
    where: { deviceId, status: 'pending', createdAt },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** @param jpeg null when there is no picture to be had */
export async function completeFrameRequests(
  db: Db,
  ids: readonly string[],
  jpeg: Uint8Array | null,
): Promise<void> {
  await db.frameRequest.updateMany({
    where: { id: { in: [...ids] }, status: 'pending' },
    data: jpeg
      ? { status: 'completed', jpeg: new Uint8Array(jpeg), capturedAt: new Date() }
      : { status: 'failed', errorMessage: 'There is no picture of the camera at the moment.' },
  });
}

/** Nobody waits for them any more. */
export async function removeOldFrameRequests(db: Db): Promise<void> {
  await db.frameRequest.deleteMany({ where: { createdAt: { lt: new Date(Date.now() - 60_000) } } });
}

import { isStreamed } from '../devices/streamed-devices.store.ts';
import type { Db } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import type { SealedStream } from '../recording/load-run.ts';

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

/** Takes the requests of a device that no node streams. @returns none when another node has taken or streams them */
export async function claimFrameRequests(
  db: Db,
  { deviceId, nodeId }: { deviceId: string; nodeId: string },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE "FrameRequest" SET "computeNodeId" = ${nodeId}::uuid
    WHERE id IN (
      SELECT r.id FROM "FrameRequest" r
      WHERE r."deviceId" = ${deviceId}::uuid AND r.status = 'pending' AND r."computeNodeId" IS NULL
        AND r."createdAt" > clock_timestamp() - make_interval(secs => ${WAITED_FOR_MS / 1000})
        AND NOT ${isStreamed(Prisma.sql`r."deviceId"`)}
      FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  return rows.map(({ id }) => id);
}

/** @returns null when the device is gone */
export async function sealedStream(db: Db, deviceId: string): Promise<SealedStream | null> {
  const device = await db.device.findFirst({
    where: { id: deviceId, deletedAt: null },
    select: { streamUrlEncrypted: true, user: { select: { streamNetworks: true } } },
  });
  return device && { streamUrlEncrypted: device.streamUrlEncrypted, ...device.user };
}

/** @param picture its fault is told to whoever asked */
export async function completeFrameRequests(
  db: Db,
  ids: readonly string[],
  { jpeg, fault }: { jpeg: Uint8Array | null; fault: string | null },
): Promise<void> {
  await db.frameRequest.updateMany({
    where: { id: { in: [...ids] }, status: 'pending' },
    data: jpeg
      ? { status: 'completed', jpeg: new Uint8Array(jpeg), capturedAt: new Date() }
      : { status: 'failed', errorMessage: fault ?? 'There is no picture of the camera at the moment.' },
  });
}

/** Nobody waits for them any more. */
export async function removeOldFrameRequests(db: Db): Promise<void> {
  await db.frameRequest.deleteMany({ where: { createdAt: { lt: new Date(Date.now() - 60_000) } } });
}

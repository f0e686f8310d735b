import { isStreamed } from '../devices/streamed-devices.store.ts';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database/db.ts';
import { Prisma } from '../platform/prisma-client/client.ts';
import type { EncryptedStream } from './camera-stream-url.ts';

type StoreContext = Pick<Context, 'db' | 'clock'>;

/** The API waits for a frame no longer than this. */
const MAX_AGE_MS = 10_000;
const RETENTION_MS = 60_000;

const agoOf = ({ clock }: StoreContext, ms: number): Date => new Date(clock.now().getTime() - ms);

export async function pendingFrameRequests(context: StoreContext, deviceId: string): Promise<string[]> {
  const createdAt = { gte: agoOf(context, MAX_AGE_MS) };
  const rows = await context.db.frameRequest.findMany({
    where: { deviceId, status: 'pending', createdAt },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Claims the requests of a device that no node streams. @returns empty when another node has claimed them or streams the device */
export async function claimFrameRequests(
  db: Db,
  { deviceId, nodeId }: { deviceId: string; nodeId: string },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE "FrameRequest" SET "computeNodeId" = ${nodeId}::uuid
    WHERE id IN (
      SELECT r.id FROM "FrameRequest" r
      WHERE r."deviceId" = ${deviceId}::uuid AND r.status = 'pending' AND r."computeNodeId" IS NULL
        AND r."createdAt" > clock_timestamp() - make_interval(secs => ${MAX_AGE_MS / 1000})
        AND NOT ${isStreamed(Prisma.sql`r."deviceId"`)}
      FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  return rows.map(({ id }) => id);
}

/** @returns null when the device was deleted */
export async function encryptedStream(db: Db, deviceId: string): Promise<EncryptedStream | null> {
  const device = await db.device.findFirst({
    where: { id: deviceId, deletedAt: null },
    select: { streamUrlEncrypted: true, user: { select: { streamNetworks: true } } },
  });
  return device && { streamUrlEncrypted: device.streamUrlEncrypted, ...device.user };
}

/** @param image without a JPEG its fault becomes the error message of the requests */
export async function completeFrameRequests(
  { db, clock }: StoreContext,
  ids: readonly string[],
  { jpeg, fault }: { jpeg: Uint8Array | null; fault: string | null },
): Promise<void> {
  await db.frameRequest.updateMany({
    where: { id: { in: [...ids] }, status: 'pending' },
    data: jpeg
      ? { status: 'completed', jpeg: new Uint8Array(jpeg), capturedAt: clock.now() }
      : { status: 'failed', errorMessage: fault ?? 'There is no picture of the camera at the moment.' },
  });
}

/** Removes requests that nobody waits for any longer. */
export async function removeOldFrameRequests(context: StoreContext): Promise<void> {
  await context.db.frameRequest.deleteMany({ where: { createdAt: { lt: agoOf(context, RETENTION_MS) } } });
}

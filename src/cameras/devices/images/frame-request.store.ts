import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/database/db.ts';
import { CHANNELS, notify } from '../../../platform/database/notify.ts';
import { claim } from '../../../platform/jobs/claim.store.ts';
import { type FrameRequest, Prisma } from '../../../platform/prisma-client/client.ts';
import { isStreamed } from '../streamed-devices.store.ts';

type StoreContext = Pick<Context, 'db' | 'clock'>;

/** Requests within this time share one image. */
const SHARED_SECONDS = 1;

/** Requests an image of a device from the nodes, at most once a second. @returns id of the request to wait for */
export function askForFrame(db: Db, deviceId: string): Promise<string> {
  return db.$transaction(async (tx) => {
    // Of several callers at the same time only one makes the request.
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`frame:${deviceId}`}, 0))::text`;
    const [recent] = await tx.$queryRaw<{ id: string }[]>`
      SELECT r.id FROM "FrameRequest" r JOIN "Device" d ON d.id = r."deviceId"
      WHERE r."deviceId" = ${deviceId}::uuid
        AND r."createdAt" > clock_timestamp() - make_interval(secs => ${SHARED_SECONDS})
        -- A picture of before a change of masks is not shown again.
        AND (r.status <> 'completed' OR r."privacyRevision" = d."privacyRevision")
      ORDER BY r."createdAt" DESC LIMIT 1`;
    if (recent) return recent.id;
    const [asked] = await tx.$queryRaw<[{ id: string }]>`
      INSERT INTO "FrameRequest" ("deviceId", "createdAt") VALUES (${deviceId}::uuid, clock_timestamp())
      RETURNING id`;
    await notify(tx, CHANNELS.frames, deviceId);
    return asked.id;
  });
}

export function findFrame(db: Db, id: string): Promise<FrameRequest | null> {
  return db.frameRequest.findUnique({ where: { id } });
}

/** The API waits for a frame no longer than this. */
const MAX_AGE_MS = 10_000;
const RETENTION_MS = 60_000;
/** One a second at most; more of them than can wait. */
const MOST_REQUESTS = 100;

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
  const rows = await claim<{ id: string }>(db, {
    table: 'FrameRequest',
    due: Prisma.sql`w."deviceId" = ${deviceId}::uuid AND w.status = 'pending' AND w."computeNodeId" IS NULL
      AND w."createdAt" > clock_timestamp() - make_interval(secs => ${MAX_AGE_MS / 1000})
      AND NOT ${isStreamed(Prisma.sql`w."deviceId"`)}`,
    order: Prisma.sql`w."createdAt"`,
    limit: MOST_REQUESTS,
    set: Prisma.sql`"computeNodeId" = ${nodeId}::uuid`,
    returning: Prisma.sql`w.id`,
  });
  return rows.map(({ id }) => id);
}

/**
 * @param image without a JPEG its fault becomes the error message of the requests
 * @returns false when the image was made for former masks of the device: then the requests wait for another one
 */
export async function completeFrameRequests(
  { db, clock }: StoreContext,
  ids: readonly string[],
  {
    jpeg,
    fault,
    capturedAtMs,
    privacyRevision,
  }: {
    jpeg: Uint8Array | null;
    fault: string | null;
    capturedAtMs: number | null;
    privacyRevision: number | null;
  },
): Promise<boolean> {
  const { count } = await db.frameRequest.updateMany({
    where: {
      id: { in: [...ids] },
      status: 'pending',
      ...(jpeg && { device: { privacyRevision: privacyRevision ?? 0 } }),
    },
    data: jpeg
      ? {
          status: 'completed',
          jpeg: new Uint8Array(jpeg),
          capturedAt: capturedAtMs === null ? clock.now() : new Date(capturedAtMs),
          privacyRevision,
        }
      : { status: 'failed', errorMessage: fault ?? 'There is no image of the camera at the moment.' },
  });
  if (count > 0) return true;
  return (await db.frameRequest.count({ where: { id: { in: [...ids] }, status: 'pending' } })) === 0;
}

/** Removes requests that nobody waits for any longer. */
export async function removeOldFrameRequests(context: StoreContext): Promise<void> {
  await context.db.frameRequest.deleteMany({ where: { createdAt: { lt: agoOf(context, RETENTION_MS) } } });
}

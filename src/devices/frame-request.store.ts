import type { Db } from '../platform/database/db.ts';
import { CHANNELS, notify } from '../platform/database/notify.ts';
import type { FrameRequest } from '../platform/prisma-client/client.ts';

/** A picture this young serves everybody who asks meanwhile. */
const SHARED_SECONDS = 1;

/** Asks the nodes for a picture of a device, at most once a second. @returns the request to wait for */
export function askForFrame(db: Db, deviceId: string): Promise<string> {
  return db.$transaction(async (tx) => {
    // Of those who ask at the same time one makes the request.
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`frame:${deviceId}`}, 0))::text`;
    const [recent] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM "FrameRequest"
      WHERE "deviceId" = ${deviceId}::uuid
        AND "createdAt" > clock_timestamp() - make_interval(secs => ${SHARED_SECONDS})
      ORDER BY "createdAt" DESC LIMIT 1`;
    if (recent) return recent.id;
    const [asked] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO "FrameRequest" ("deviceId", "createdAt") VALUES (${deviceId}::uuid, clock_timestamp())
      RETURNING id`;
    await notify(tx, CHANNELS.frames, deviceId);
    return asked!.id;
  });
}

export function findFrame(db: Db, id: string): Promise<FrameRequest | null> {
  return db.frameRequest.findUnique({ where: { id } });
}

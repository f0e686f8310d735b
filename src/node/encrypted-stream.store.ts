import { PRIVACY } from '../devices/privacy.store.ts';
import type { Db } from '../platform/database/db.ts';
import type { Privacy } from '../vision/privacy.ts';
import type { EncryptedStream } from './camera-stream-url.ts';

/** @returns the stream of a device and what its pictures may show; null when the device was deleted */
export async function encryptedStream(
  db: Db,
  deviceId: string,
): Promise<(EncryptedStream & { privacy: Privacy }) | null> {
  const [row] = await db.$queryRaw<(EncryptedStream & { privacy: Privacy })[]>`
    SELECT d."streamUrlEncrypted", d."analysisStreamUrlEncrypted", u."streamNetworks", ${PRIVACY} AS privacy
    FROM "Device" d JOIN "User" u ON u.id = d."userId"
    WHERE d.id = ${deviceId}::uuid AND d."deletedAt" IS NULL`;
  return row ?? null;
}

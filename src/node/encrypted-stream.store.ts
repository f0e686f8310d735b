import type { Db } from '../platform/database/db.ts';
import type { EncryptedStream } from './camera-stream-url.ts';

/** @returns null when the device was deleted */
export async function encryptedStream(db: Db, deviceId: string): Promise<EncryptedStream | null> {
  const device = await db.device.findFirst({
    where: { id: deviceId, deletedAt: null },
    select: { streamUrlEncrypted: true, user: { select: { streamNetworks: true } } },
  });
  return device && { streamUrlEncrypted: device.streamUrlEncrypted, ...device.user };
}

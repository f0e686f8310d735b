import { PRIVACY } from '../../cameras/devices/privacy.store.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Rotation } from '../../video/picture/turn.ts';
import type { Privacy } from '../../vision/privacy.ts';
import type { EncryptedStream } from './camera-stream-url.ts';

export interface ShownStream extends EncryptedStream {
  readonly privacy: Privacy;
  readonly rotation: Rotation;
}

/** @returns the stream of a device and what its pictures may show; null when the device was deleted */
export async function encryptedStream(db: Db, deviceId: string): Promise<ShownStream | null> {
  const [row] = await db.$queryRaw<ShownStream[]>`
    SELECT d."streamUrlEncrypted", d."analysisStreamUrlEncrypted", d.rotation::int AS rotation, u."streamNetworks", ${PRIVACY} AS privacy
    FROM "Device" d JOIN "User" u ON u.id = d."userId"
    WHERE d.id = ${deviceId}::uuid AND d."deletedAt" IS NULL`;
  return row ?? null;
}

import { readNetworks } from '../../access/networks.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Device } from '../../platform/prisma-client/client.ts';
import { type Rotation, turnedSize } from '../../video/picture/turn.ts';
import type { StreamFault } from '../../video/stream-error.ts';
import { makeCameraAccess } from './camera-access.ts';
import { writePresence } from './presence.store.ts';
import { type ProbedFor, type ProbedPresence, probeStream } from './probe-stream.ts';
import { openStreamUrl } from './stream-url.ts';

/**
 * Probes a device and stores the result.
 * @returns the updated device, and why it cannot be read; null when it can
 */
export async function probeDevice(
  { db, sealer, shared }: Pick<Context, 'db' | 'sealer' | 'shared'>,
  device: Device,
  wanted: ProbedFor,
): Promise<{ device: Device; fault: StreamFault | null }> {
  const url = openStreamUrl(sealer, device.streamUrlEncrypted);
  const networks = await readNetworks(db, device.userId);
  const probed = await probeStream(url, shared.get(makeCameraAccess), { networks, wanted });
  return storeProbed(db, device, probed);
}

/** Stores what a probe has found. @returns the updated device, and why it cannot be read; null when it can */
export async function storeProbed(
  db: Db,
  device: Device,
  { onlineStatus, info, fault }: ProbedPresence,
): Promise<{ device: Device; fault: StreamFault | null }> {
  // A probe sees the picture as the camera sends it.
  const turned = info && turnedSize(info, device.rotation as Rotation);
  await writePresence(db, device, { onlineStatus, info: turned, fault });
  const row = await db.device.findUnique({ where: { id: device.id } });
  return { device: row ?? device, fault };
}

import { readNetworks } from '../access/networks.ts';
import type { Context } from '../platform/context.ts';
import type { Device } from '../platform/prisma-client/client.ts';
import type { StreamFault } from '../video/stream-error.ts';
import { writePresence } from './device.store.ts';
import { type ProbedFor, probeStream } from './probe-stream.ts';
import { openStreamUrl } from './stream-url.ts';

/**
 * Looks whether the device can be read now and keeps what it learned.
 * @returns the device as it is then, and why it cannot be read; null when it can
 */
export async function probeDevice(
  context: Pick<Context, 'config' | 'db' | 'sealer'>,
  device: Device,
  wanted: ProbedFor,
): Promise<{ device: Device; fault: StreamFault | null }> {
  const url = openStreamUrl(context.sealer, device.streamUrlEncrypted);
  const networks = await readNetworks(context.db, device.userId);
  const { onlineStatus, info, fault } = await probeStream(url, context.config, { networks, wanted });
  await writePresence(context.db, device, { onlineStatus, info, fault });
  const row = await context.db.device.findUnique({ where: { id: device.id } });
  return { device: row ?? device, fault };
}

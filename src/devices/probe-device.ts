import { connect } from 'node:net';
import type { Context } from '../platform/context.ts';
import type { Device } from '../platform/prisma-client/client.ts';
import { type Presence, writePresence } from './device.store.ts';
import { openStreamUrl } from './stream-url.ts';

/** How long somebody who waits for an answer waits for the camera. */
const DEADLINE_MS = 5_000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'rtsp:': 554,
  'rtsps:': 322,
  'rtmp:': 1935,
  'http:': 80,
  'https:': 443,
};

/** Looks whether the device can be reached now, keeps what it learned and returns the device as it is then. */
export async function probeDevice(context: Context, device: Device): Promise<Device> {
  const presence = await probe(openStreamUrl(context.sealer, device.streamUrlEncrypted));
  await writePresence(context.db, device, presence);
  return { ...device, ...presence.info, onlineStatus: presence.onlineStatus, lastError: presence.error };
}

async function probe(url: string): Promise<Presence> {
  // Simulations are drawn here, and a file's path was checked when it was accepted.
  const error = /^(sim|file):/.test(url) ? null : await connectionFault(new URL(url));
  return { onlineStatus: error === null ? 'online' : 'offline', info: null, error };
}

/** @returns null when something accepts connections there, else one sentence */
function connectionFault({ protocol, hostname, port }: URL): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port),
    });
    const end = (fault: string | null) => {
      socket.destroy();
      resolve(fault);
    };
    socket.setTimeout(DEADLINE_MS, () => end('The camera does not answer'));
    socket.once('connect', () => end(null));
    socket.once('error', (error) => end(`The camera cannot be reached: ${error.message}`));
  });
}

import type { Config } from '../config.ts';
import type { Context } from '../platform/context.ts';
import type { Device } from '../platform/prisma-client/client.ts';
import { type FfmpegBinaries, findFfmpeg } from '../vision/frames/ffmpeg-binaries.ts';
import { probe } from '../vision/frames/probe.ts';
import { fpsValue } from '../vision/frames/probed-stream.ts';
import { StreamError } from '../vision/frames/source.ts';
import { parseStreamUrl } from '../vision/frames/stream-url.ts';
import { type Presence, writePresence } from './device.store.ts';
import { streamGate } from './stream-policy.ts';
import { openStreamUrl } from './stream-url.ts';

/** How long somebody who waits for an answer waits for the camera. */
const TIMEOUT_MS = 5_000;

/** Looks whether the device can be read now, keeps what it learned and returns the device as it is then. */
export async function probeDevice(
  context: Pick<Context, 'config' | 'db' | 'sealer'>,
  device: Device,
): Promise<Device> {
  const url = openStreamUrl(context.sealer, device.streamUrlEncrypted);
  const presence = await lookAt(url, context.config);
  await writePresence(context.db, device, presence);
  return { ...device, ...presence.info, onlineStatus: presence.onlineStatus, lastError: presence.error };
}

async function lookAt(url: string, config: Config): Promise<Presence> {
  const address = parseStreamUrl(url);
  // A simulation is drawn here: it is always there.
  if (address.scheme === 'sim') return { onlineStatus: 'online', info: null, error: null };
  try {
    const binaries = await binariesOf(config);
    const { leave, ...entry } = await streamGate(config).enter(address, TIMEOUT_MS);
    try {
      const { width, height, codec, fps } = await probe({ ...entry, binaries, timeoutMs: TIMEOUT_MS });
      const info = { width, height, codec, sourceFps: fps === null ? null : fpsValue(fps) };
      return { onlineStatus: 'online', info, error: null };
    } finally {
      leave();
    }
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    return { onlineStatus: 'offline', info: null, error: error.message };
  }
}

const found = new WeakMap<Config, Promise<FfmpegBinaries>>();

/** Looked for once per program, until they are found. */
function binariesOf(config: Config): Promise<FfmpegBinaries> {
  const known = found.get(config);
  if (known) return known;
  const search = findFfmpeg({ ffmpegPath: config.ffmpegPath, ffprobePath: config.ffprobePath });
  found.set(config, search);
  search.catch(() => found.delete(config));
  return search;
}

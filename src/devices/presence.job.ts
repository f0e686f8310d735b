import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../platform/context.ts';
import { isDatabaseBusy } from '../platform/database/database-away.ts';
import { type QuickProbeResult, quickProbe } from '../video/probe/quick-probe.ts';
import { cameraProxyFor, streamPolicy } from './camera-network.ts';
import { type IdleDevice, takeDueProbe, writePresence } from './device.store.ts';
import { checkStreamUrl, openStreamUrl } from './stream-url.ts';

/** How often a device that nobody streams is looked at. */
const EVERY_SECONDS = 30;
/** Devices one worker looks at at once; those that do not answer take their time. */
const AT_ONCE = 12;
const TIMEOUT_MS = 5_000;
/** One lost packet is no outage: a device that was there is looked at again before it is called offline. */
const LOOKS_BEFORE_OFFLINE = 3;
const BETWEEN_LOOKS_MS = 5_000;

/** Looks at the idle devices whose time has come; those that are streamed are known by their frames. */
export async function probeIdleDevices(
  context: Pick<Context, 'config' | 'db' | 'sealer'>,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<void> {
  const oneAfterTheOther = async () => {
    for (;;) {
      const device = await takeDueProbe(context.db, EVERY_SECONDS);
      if (!device) return;
      if (device.isStreamed) continue;
      // Its row is held by somebody else: it is due again soon, and the others are looked at all the same.
      await probeIdle(context, device, wait).catch((error: unknown) => {
        if (!isDatabaseBusy(error)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther));
}

async function probeIdle(
  { config, db, sealer }: Pick<Context, 'config' | 'db' | 'sealer'>,
  device: IdleDevice,
  wait: (ms: number) => Promise<unknown>,
): Promise<void> {
  const looks = device.onlineStatus === 'online' ? LOOKS_BEFORE_OFFLINE : 1;
  const checked = checkStreamUrl(
    openStreamUrl(sealer, device.streamUrlEncrypted),
    streamPolicy(config, device.streamNetworks),
  );
  const sinceMs = performance.now();
  let found = 'fault' in checked ? refused(checked.fault) : UNSEEN;
  for (let look = 1; 'url' in checked && look <= looks; look++) {
    if (look > 1) await wait(BETWEEN_LOOKS_MS);
    const { guard } = cameraProxyFor(config, device.streamNetworks);
    found = await quickProbe(checked.url, { guard, timeoutMs: TIMEOUT_MS });
    if (found.fault === null) break;
  }
  // A host that answers does not prove a video, but neither does it speak against the one that was there.
  const { fault } = found;
  const isStillThere = found.onlineStatus === 'unknown' && device.onlineStatus === 'online';
  const onlineStatus = isStillThere ? 'online' : found.onlineStatus;
  const failedForMs = performance.now() - sinceMs;
  await writePresence(db, device, { onlineStatus, info: null, fault, failedForMs, onlyIdle: true });
}

const UNSEEN: QuickProbeResult = { onlineStatus: 'unknown', fault: null };

/** @param why what is wrong with the address, the rest of a sentence */
const refused = (why: string): QuickProbeResult => ({
  onlineStatus: 'offline',
  fault: { reason: 'address_not_allowed', sentence: `The stream address ${why}.` },
});

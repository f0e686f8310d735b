import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { isDatabaseBusy } from '../../platform/database/database-away.ts';
import { type WorkedOff, workOff } from '../../platform/jobs/work-off.ts';
import { type QuickProbeResult, quickProbe } from '../../video/probe/quick-probe.ts';
import { makeCameraAccess } from './camera-access.ts';
import { streamPolicy } from './camera-network.ts';
import { claimDueProbes, type IdleDevice, writePresence } from './presence.store.ts';
import { checkStreamUrl, openStreamUrl } from './stream-url.ts';

/** How often a device that no node streams is probed. */
const EVERY_SECONDS = 30;
/** Devices that one worker probes at the same time: those that do not answer take long. */
const AT_ONCE = 12;
const TIMEOUT_MS = 5_000;
/** One lost packet is no outage: a device that was online counts as offline after so many failed probes. */
const PROBES_BEFORE_OFFLINE = 3;
const BETWEEN_PROBES_MS = 5_000;

type ProbeContext = Pick<Context, 'config' | 'db' | 'logger' | 'sealer' | 'shared'>;

/** Probes the idle devices that are due. For devices that a node streams the frames show whether they are online. */
export const probeIdleDevices = (
  context: ProbeContext,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<WorkedOff> =>
  workOff({
    atOnce: AT_ONCE,
    claim: (limit) => claimDueProbes(context.db, { everySeconds: EVERY_SECONDS, limit }),
    work: async (device) => {
      if (!device.isStreamed) await probeIdle(context, device, wait);
    },
    failed: (err, { id }) => {
      // Where another transaction holds its row, nothing is wrong: the device is due again soon.
      if (!isDatabaseBusy(err)) context.logger.warn({ err, deviceId: id }, 'a device could not be probed');
    },
  });

async function probeIdle(
  { config, db, sealer, shared }: ProbeContext,
  device: IdleDevice,
  wait: (ms: number) => Promise<unknown>,
): Promise<void> {
  const startedMs = performance.now();
  const url = openStreamUrl(sealer, device.streamUrlEncrypted);
  const checked = checkStreamUrl(url, streamPolicy(config, device.streamNetworks));
  const { guard } = shared.get(makeCameraAccess).proxyFor(device.streamNetworks);
  const probes = device.onlineStatus === 'online' ? PROBES_BEFORE_OFFLINE : 1;
  let found = 'fault' in checked ? refused(checked.fault) : UNKNOWN;
  for (let probe = 1; 'url' in checked && probe <= probes; probe++) {
    if (probe > 1) await wait(BETWEEN_PROBES_MS);
    found = await quickProbe(checked.url, { guard, timeoutMs: TIMEOUT_MS });
    if (found.fault === null) break;
  }
  // A host that only answers proves no video, but it does not show that the video is gone either.
  const isStillThere = found.onlineStatus === 'unknown' && device.onlineStatus === 'online';
  await writePresence(db, device, {
    onlineStatus: isStillThere ? 'online' : found.onlineStatus,
    info: null,
    fault: found.fault,
    failedForMs: performance.now() - startedMs,
    onlyIdle: true,
  });
}

const UNKNOWN: QuickProbeResult = { onlineStatus: 'unknown', fault: null };

/** @param why the rest of a sentence */
const refused = (why: string): QuickProbeResult => ({
  onlineStatus: 'offline',
  fault: { reason: 'address_not_allowed', sentence: `The stream address ${why}.` },
});

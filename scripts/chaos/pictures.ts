import { setTimeout as pause } from 'node:timers/promises';
import type { Camera, Installation } from '../support/installation.ts';
import { type H264Camera, openH264Camera } from './cameras/h264-camera.ts';
import { TcpProxy } from './cameras/tcp-proxy.ts';
import { installedPart } from './part.ts';
import { type Promised, verdict } from './verdict.ts';

const FPS = 5;
const REPORTED_WITHIN_SECONDS = 15;
const CLEARED_WITHIN_SECONDS = 20;
/** When a fault begins, frames from before are still being analysed. */
const UNDER_WAY_MS = 1_500;

export const pictures = installedPart({
  name: 'pictures',
  description: 'Sends frames that are damaged on the way, black, or always the same one.',
  options: {
    seconds: ['how long frames are damaged, and black', 25],
    every: ['one byte in so many is changed', 2_000],
    frozenSeconds: ['longest wait for the warning of a frame that does not change', 240],
  },
  needs: { workers: 1 },
  /** Makes one fault of the video after the other. Each must be reported, and nobody may be counted who is not there. */
  async run(installation, { seconds, every, frozenSeconds }) {
    const server = await openH264Camera();
    const proxy = await new TcpProxy(server.port).listen();
    try {
      const url = `http://127.0.0.1:${proxy.port}/stream`;
      const camera = await installation.addCamera('Camera', url, FPS);
      await installation.start(camera);
      const hasPeople = async () => (await present(installation, camera)) > 0;
      await installation.until('people are detected', hasPeople, 120);
      const damaged = { begin: () => proxy.damage(every), end: () => proxy.damage(null) };
      const seen: Awaited<ReturnType<typeof applyFault>>[] = [];
      for (const fault of [
        { reason: 'damaged_video', ...damaged },
        showing(server, 'blank_picture', 'black'),
      ]) {
        seen.push(await applyFault(installation, camera, { fault, seconds }));
        await pause(15_000);
      }
      const { reason, begin, end } = showing(server, 'unchanging_picture', 'frozen');
      const isReported = () => hasReason(installation, camera, reason);
      begin();
      const toldSeconds = await installation.until(`${reason} is reported`, isReported, frozenSeconds);
      end();
      const clearedSeconds = await installation.until(
        `${reason} is over`,
        async () => !(await isReported()),
        60,
      );
      seen.push({ fault: reason, falseZeros: 0, inventedVisits: 0, toldSeconds, clearedSeconds });
      await installation.stop(camera);
      const promises = seen.flatMap((one) => promisedOf(one, one.fault === reason ? frozenSeconds : null));
      return { seen, ...verdict(Object.fromEntries(promises)) };
    } finally {
      await proxy.close();
      await server.close();
    }
  },
});

/** @param toldWithin the limit of a fault that takes longer to notice than the others */
const promisedOf = (
  { fault, falseZeros, inventedVisits, toldSeconds, clearedSeconds }: Awaited<ReturnType<typeof applyFault>>,
  toldWithin: number | null,
): [string, Promised][] => [
  [`${fault}: falseZeros`, { is: falseZeros, exactly: 0 }],
  [`${fault}: inventedVisits`, { is: inventedVisits, exactly: 0 }],
  [`${fault}: toldSeconds`, { is: toldSeconds, atMost: toldWithin ?? REPORTED_WITHIN_SECONDS }],
  [`${fault}: clearedSeconds`, { is: clearedSeconds, atMost: CLEARED_WITHIN_SECONDS }],
];

interface Fault {
  readonly reason: string;
  begin(): void;
  end(): void;
}

const showing = (server: H264Camera, reason: string, shown: 'black' | 'frozen'): Fault => ({
  reason,
  begin: () => server.show(shown),
  end: () => server.show('shop'),
});

async function applyFault(
  installation: Installation,
  camera: Camera,
  { fault: { reason, begin, end }, seconds }: { fault: Fault; seconds: number },
) {
  installation.note(`${reason} begins`);
  const fromMs = Date.now();
  begin();
  const isReported = () => hasReason(installation, camera, reason);
  const toldSeconds = await installation.until(`${reason} is reported`, isReported, 60);
  await pause(Math.max(0, fromMs + seconds * 1000 - Date.now()));
  end();
  const toMs = Date.now();
  installation.note(`${reason} ends`);
  const isOver = async () => (await readDevice(installation, camera)).fault === null;
  const clearedSeconds = await installation.until(`${reason} is over`, isOver, 60);
  // The last row of the fault's time is stored with the first frame after it.
  await pause(3_000);
  const range = [camera.sceneId, fromMs + UNDER_WAY_MS, toMs];
  const [counts] = await installation.query<{ zeros: number; visits: number }>(
    `SELECT (SELECT count(*)::int FROM "MetricSnapshot" WHERE "sceneId" = $1
         AND "windowEnd" BETWEEN to_timestamp($2::float8 / 1000) AND to_timestamp($3::float8 / 1000)
         AND ("currentMetrics"->>'totalPresent')::int = 0) AS zeros,
       (SELECT count(*)::int FROM "Visit" WHERE "sceneId" = $1 AND coalesce("queueEnteredAt", "serviceStartedAt")
         BETWEEN to_timestamp($2::float8 / 1000) AND to_timestamp($3::float8 / 1000)) AS visits`,
    range,
  );
  return {
    fault: reason,
    /** Stored snapshots of the fault's time with nobody present. */
    falseZeros: counts!.zeros,
    /** Visits that began in the fault's time. */
    inventedVisits: counts!.visits,
    /** From the beginning of the fault until the device reported it. */
    toldSeconds: round(toldSeconds),
    /** From the end of the fault until the device reported that it is over. */
    clearedSeconds: round(clearedSeconds),
  };
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10;

interface Device {
  readonly fault: { readonly reason: string } | null;
  readonly warnings: readonly { readonly reason: string }[];
}

const readDevice = ({ client }: Installation, { deviceId }: Camera): Promise<Device> =>
  client.get<Device>(`/devices/${deviceId}`);

/** Whether the device reports a fault or a warning with this reason. */
async function hasReason(installation: Installation, camera: Camera, reason: string): Promise<boolean> {
  const { fault, warnings } = await readDevice(installation, camera);
  return fault?.reason === reason || warnings.some((warning) => warning.reason === reason);
}

async function present({ client }: Installation, { sceneId }: Camera): Promise<number> {
  const { latestMetrics } = await client.get<{
    latestMetrics: { current: { totalPresent: number } } | null;
  }>(`/scenes/${sceneId}`);
  return latestMetrics?.current.totalPresent ?? 0;
}

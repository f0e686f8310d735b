import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Camera, Installation } from '../support/installation.ts';
import { median } from '../support/numbers.ts';
import { processTree } from '../support/process-tree.ts';
import { progress } from '../support/terminal.ts';
import { type PlannedFault, planFaults } from './cameras/fault-plan.ts';
import { type JpegCamera, openJpegCamera } from './cameras/jpeg-camera.ts';
import { TcpProxy } from './cameras/tcp-proxy.ts';
import { installedPart } from './part.ts';
import { verdict } from './verdict.ts';

const BACK_WITHIN_SECONDS = 5;
/** After a long fault the camera stream may wait so long before its next attempt. */
const LONGEST_PAUSE_SECONDS = 60;
/** A device event is stored with the next frame or just after it. */
const EVENT_MS = 2_500;
const SAMPLE_MS = 2_000;

export const cameras = installedPart({
  name: 'cameras',
  description:
    'Makes faults between cameras and their node: refused, silent, frozen, garbage, cut, another frame size, two minutes ' +
    'away.',
  options: {
    faults: ['number of faults, over all cameras', 100],
    cameras: ['cameras at once', 8],
    fps: ['frames a second of each', 2],
    longShare: ['share of faults longer than 35 s', 0.44],
    seed: ['the lengths of faults and of the pauses between them follow from it', 1],
  },
  needs: { workers: 1 },
  /** Makes faults at all cameras at once. Each must be reported as what it is, exactly once. */
  async run(installation, options) {
    const server = await openJpegCamera(options.fps);
    const resizing = await openJpegCamera(options.fps);
    const tested: Tested[] = [];
    try {
      for (let number = 0; number < options.cameras; number++) {
        // The first camera alone changes its frame size.
        tested.push(await addCamera(installation, { number, ...options }, number === 0 ? resizing : server));
      }
      await installation.untilFrames(
        tested.map(({ taskId }) => taskId),
        Date.now(),
        90,
      );
      const resources = new ResourceSampler(installation.workers[0]!.pid);
      const plan = planFaults(options);
      const bar = progress('cameras', options.faults, 'faults');
      const outcomes = await Promise.all(
        tested.map(async (one, number) => {
          const results: FaultResult[] = [];
          for (const fault of plan[number]!) {
            results.push(await applyFault(installation, one, fault));
            bar.step();
          }
          return results;
        }),
      );
      bar.stop();
      await pause(3_000);
      const { rssGrowthPercent, openFilesBefore, openFilesAfter } = resources.stop();
      for (const { camera } of tested) await installation.stop(camera);
      const all = outcomes.flat();
      const wrong = all.filter(({ passed }) => !passed);
      return {
        faults: all.length,
        longFaults: all.filter(({ isOutage }) => isOutage).length,
        byKind: byKind(all),
        wrong,
        /** Worker and lanes without ffmpeg: the median of the last tenth of the time against that of the second. */
        rssGrowthPercent,
        openFilesBefore,
        openFilesAfter,
        ...verdict({
          'wrong, which lists what each broke': { is: wrong.length, exactly: 0 },
          rssGrowthPercent: { is: rssGrowthPercent, atMost: 10 },
          openFilesAfter: { is: openFilesAfter, atMost: openFilesBefore + options.cameras },
        }),
      };
    } finally {
      for (const { proxy } of tested) await proxy.close();
      await server.close();
      await resizing.close();
    }
  },
});

/** A camera under test. */
interface Tested {
  readonly camera: Camera;
  readonly taskId: string;
  readonly proxy: TcpProxy;
  readonly server: JpegCamera;
}

async function addCamera(
  installation: Installation,
  { number, fps }: { number: number; fps: number },
  server: JpegCamera,
): Promise<Tested> {
  const proxy = await new TcpProxy(server.port).listen();
  const url = `http://127.0.0.1:${proxy.port}/stream`;
  const camera = await installation.addCamera(`Camera ${number}`, url, fps);
  await installation.untilOnline(camera);
  return { camera, proxy, taskId: await installation.start(camera), server };
}

/** A fault and what the service reported about it. */
type FaultResult = Awaited<ReturnType<typeof applyFault>>;

async function applyFault(
  installation: Installation,
  { camera: { deviceId }, proxy, taskId, server }: Tested,
  fault: PlannedFault,
) {
  const { kind, seconds, quietSeconds, isOutage, longestPauseSeconds: pauseSeconds } = fault;
  await pause(quietSeconds * 1000);
  const sinceMs = Date.now();
  installation.note(`camera ${deviceId}: ${kind} for ${seconds} s`);
  if (kind === 'resolution') server.size = server.size === 'small' ? 'large' : 'small';
  else await proxy.set(kind === 'away' ? 'refused' : kind);
  await pause(seconds * 1000);
  await proxy.set('none');
  const backSeconds = await installation.untilFrames([taskId], Date.now(), LONGEST_PAUSE_SECONDS + 30);
  await pause(EVENT_MS);
  const events = await eventsSince(installation, deviceId, sinceMs);
  const expected = isOutage ? 1 : 0;
  return {
    ...fault,
    offlineEvents: events.device_offline,
    onlineEvents: events.device_online,
    /** At most one: a short fault may be over before the third restart of the camera stream. */
    outageEvents: events.device_analysis_error,
    /** From the end of the fault to the next stored frame. */
    backSeconds,
    /** How long the camera stream may have waited before its next attempt meanwhile. */
    pauseSeconds,
    ...verdict({
      offlineEvents: { is: events.device_offline, exactly: expected },
      onlineEvents: { is: events.device_online, exactly: expected },
      outageEvents: { is: events.device_analysis_error, atMost: 1 },
      backSeconds: { is: backSeconds, atMost: BACK_WITHIN_SECONDS + pauseSeconds },
    }),
  };
}

async function eventsSince(installation: Installation, deviceId: string, sinceMs: number) {
  const counts = { device_offline: 0, device_online: 0, device_analysis_error: 0 };
  const rows = await installation.query<{ type: keyof typeof counts; count: number }>(
    `SELECT type, count(*)::int AS count FROM "Event"
     WHERE "deviceId" = $1 AND "createdAt" > to_timestamp($2::float8 / 1000) AND type = ANY($3) GROUP BY type`,
    [deviceId, sinceMs, Object.keys(counts)],
  );
  for (const { type, count } of rows) counts[type] = count;
  return counts;
}

function byKind(all: readonly FaultResult[]) {
  const kinds: Record<string, { faults: number; right: number; slowestBackSeconds: number }> = {};
  for (const { kind, passed, backSeconds } of all) {
    kinds[kind] ??= { faults: 0, right: 0, slowestBackSeconds: 0 };
    kinds[kind].faults++;
    if (passed) kinds[kind].right++;
    kinds[kind].slowestBackSeconds = Math.max(kinds[kind].slowestBackSeconds, backSeconds);
  }
  return kinds;
}

/** Samples memory and open files of a worker and its lanes. */
class ResourceSampler {
  readonly #pid: number;
  readonly #rss: number[] = [];
  readonly #openFiles: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
    this.#sample();
  }

  stop() {
    clearInterval(this.#timer);
    this.#sample();
    const tenth = Math.max(1, Math.floor(this.#rss.length / 10));
    const growth = median(this.#rss.slice(-tenth)) / median(this.#rss.slice(tenth, 2 * tenth + 1)) - 1;
    return {
      rssGrowthPercent: Math.round(growth * 1000) / 10,
      openFilesBefore: this.#openFiles[0]!,
      openFilesAfter: this.#openFiles.at(-1)!,
    };
  }

  #sample(): void {
    const tree = processTree(this.#pid).filter(({ name }) => !/^ff(mpeg|probe)/.test(name));
    this.#rss.push(tree.reduce((sum, { rssBytes }) => sum + rssBytes, 0));
    this.#openFiles.push(tree.reduce((sum, { pid }) => sum + openFiles(pid), 0));
  }
}

function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

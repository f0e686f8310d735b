import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../support/median.ts';
import { processTree } from '../support/process-tree.ts';
import { progress } from '../support/terminal.ts';
import { CameraServer } from './camera-server.ts';
import { type FaultKind, type PlannedFault, planFaults } from './fault-plan.ts';
import { ask } from './history.ts';
import type { Installation, Watched } from './installation.ts';
import { installedPart } from './part.ts';
import { TcpProxy } from './tcp-proxy.ts';

export interface CamerasOptions {
  readonly faults: number;
  readonly cameras: number;
  readonly fps: number;
  /** Share of faults that are long enough to count as an outage. */
  readonly longShare: number;
  readonly seed: number;
}

interface FaultSeen extends PlannedFault {
  readonly offlineEvents: number;
  readonly onlineEvents: number;
  /** At most one; a short fault may be over before the third restart. */
  readonly outageEvents: number;
  /** From the camera's return to the next stored frame, less the pause the stream was in. */
  readonly backSeconds: number;
  readonly pauseSeconds: number;
  readonly isRight: boolean;
}

export interface CamerasResult {
  readonly faults: number;
  readonly longFaults: number;
  readonly byKind: Readonly<Record<string, { faults: number; right: number; slowestBackSeconds: number }>>;
  readonly wrong: readonly FaultSeen[];
  /** Median over the first and the last tenth of the time, worker and lanes without ffmpeg. */
  readonly rssGrowthPercent: number;
  readonly openFilesBefore: number;
  readonly openFilesAfter: number;
  readonly passed: boolean;
}

const BACK_WITHIN_SECONDS = 5;
/** A stream that was away for long may wait so long for its next try. */
const LONGEST_PAUSE_SECONDS = 60;

export const cameras = installedPart({
  name: 'cameras',
  description:
    'Faults between cameras and their node: refused, silent, frozen, garbage, cut, resized, two minutes away.',
  options: {
    faults: ['faults, over all cameras', 100],
    cameras: ['cameras at once', 8],
    fps: ['frames a second of each', 2],
    longShare: ['share of faults longer than 35 s', 0.44],
    seed: ['of the order and lengths of faults', 1],
  },
  needs: { workers: 1 },
  run: runCameras,
});

/** Faults between cameras and their node, at all cameras at once; each is seen for what it is, exactly once. */
export async function runCameras(
  installation: Installation,
  options: CamerasOptions,
): Promise<CamerasResult> {
  const { faults, cameras, fps, longShare, seed } = options;
  const server = await CameraServer.open(fps);
  const resizing = await CameraServer.open(fps);
  const watched: { camera: Watched; proxy: TcpProxy; taskId: string; server: CameraServer }[] = [];
  try {
    for (let number = 0; number < cameras; number++) {
      // One camera changes its picture size: the others must not.
      const mine = number === 0 ? resizing : server;
      const proxy = await new TcpProxy(mine.port).listen();
      const camera = await installation.addCamera(
        `Camera ${number}`,
        `http://127.0.0.1:${proxy.port}/stream`,
        fps,
      );
      const isOnline = async () => (await device(installation, camera.deviceId)).onlineStatus === 'online';
      await installation.until(`camera ${number} is online`, isOnline, 60);
      watched.push({ camera, proxy, taskId: await installation.start(camera), server: mine });
    }
    for (const { taskId } of watched) await freshFrame(installation, taskId, Date.now(), 90);
    const memory = new Memory(installation.workers[0]!.pid);
    const plan = planFaults({ faults, cameras, longShare, seed });
    const bar = progress('cameras', faults, 'faults');
    let done = 0;
    const seen = await Promise.all(
      watched.map(async (one, number) => {
        const results: FaultSeen[] = [];
        for (const fault of plan[number]!) {
          results.push(await suffer(installation, one, fault));
          bar.update(++done);
        }
        return results;
      }),
    );
    bar.stop();
    await pause(3_000);
    const { rssGrowthPercent, openFilesBefore, openFilesAfter } = memory.stop();
    for (const { camera } of watched) await installation.stop(camera);
    const all = seen.flat();
    const wrong = all.filter(({ isRight }) => !isRight);
    return {
      faults: all.length,
      longFaults: all.filter(({ isOutage }) => isOutage).length,
      byKind: byKind(all),
      wrong,
      ...{ rssGrowthPercent, openFilesBefore, openFilesAfter },
      passed: wrong.length === 0 && rssGrowthPercent < 10 && openFilesAfter <= openFilesBefore + cameras,
    };
  } finally {
    for (const { proxy } of watched) await proxy.close();
    await server.close();
    await resizing.close();
  }
}

async function suffer(
  installation: Installation,
  {
    camera,
    proxy,
    taskId,
    server,
  }: { camera: Watched; proxy: TcpProxy; taskId: string; server: CameraServer },
  fault: PlannedFault,
): Promise<FaultSeen> {
  const { deviceId } = camera;
  await pause(fault.quietSeconds * 1000);
  const sinceMs = Date.now();
  installation.note(`camera ${deviceId}: ${fault.kind} for ${fault.seconds} s`);
  if (fault.kind === 'resolution') server.size = server.size === 'small' ? 'large' : 'small';
  else await proxy.set(tcpFault(fault.kind));
  await pause(fault.seconds * 1000);
  await proxy.set('none');
  const backAtMs = Date.now();
  const tookSeconds = await freshFrame(installation, taskId, backAtMs, LONGEST_PAUSE_SECONDS + 30);
  // The edge is written with the frame or just after it.
  await pause(2_500);
  const edges = await edgesSince(installation, deviceId, sinceMs);
  const pauseSeconds = fault.longestPauseSeconds;
  const wanted = fault.isOutage ? 1 : 0;
  const isRight =
    edges.device_offline === wanted &&
    edges.device_online === wanted &&
    edges.device_analysis_error <= 1 &&
    tookSeconds <= BACK_WITHIN_SECONDS + pauseSeconds;
  return {
    ...fault,
    offlineEvents: edges.device_offline,
    onlineEvents: edges.device_online,
    outageEvents: edges.device_analysis_error,
    backSeconds: tookSeconds,
    pauseSeconds,
    isRight,
  };
}

const tcpFault = (kind: Exclude<FaultKind, 'resolution'>) => (kind === 'away' ? 'refused' : kind);

const device = (installation: Installation, id: string) =>
  installation.client.get<{ onlineStatus: string }>(`/devices/${id}`);

/** @returns seconds until a frame newer than `sinceMs` is stored */
function freshFrame(
  installation: Installation,
  taskId: string,
  sinceMs: number,
  deadlineSeconds: number,
): Promise<number> {
  const isFresh = async () => {
    const rows = await ask(
      installation.databaseUrl,
      'SELECT 1 FROM "AnalysisTask" WHERE id = $1 AND "lastFrameAt" > to_timestamp($2::float8 / 1000)',
      [taskId, sinceMs],
    );
    return rows.length > 0;
  };
  return installation.until(`run ${taskId} gives frames`, isFresh, deadlineSeconds);
}

type DeviceEvent = 'device_offline' | 'device_online' | 'device_analysis_error';

async function edgesSince(
  { databaseUrl }: Installation,
  deviceId: string,
  sinceMs: number,
): Promise<Record<DeviceEvent, number>> {
  const rows = await ask<{ type: DeviceEvent; count: number }>(
    databaseUrl,
    `SELECT type, count(*)::int AS count FROM "Event"
     WHERE "deviceId" = $1 AND "createdAt" > to_timestamp($2::float8 / 1000)
       AND type IN ('device_offline', 'device_online', 'device_analysis_error') GROUP BY type`,
    [deviceId, sinceMs],
  );
  const counts = { device_offline: 0, device_online: 0, device_analysis_error: 0 };
  for (const { type, count } of rows) counts[type] = count;
  return counts;
}

function byKind(all: readonly FaultSeen[]): CamerasResult['byKind'] {
  const kinds: Record<string, { faults: number; right: number; slowestBackSeconds: number }> = {};
  for (const { kind, isRight, backSeconds } of all) {
    kinds[kind] ??= { faults: 0, right: 0, slowestBackSeconds: 0 };
    kinds[kind].faults++;
    if (isRight) kinds[kind].right++;
    kinds[kind].slowestBackSeconds = Math.max(kinds[kind].slowestBackSeconds, backSeconds);
  }
  return kinds;
}

const SAMPLE_MS = 2_000;

/** What a worker and its lanes hold, over time. */
class Memory {
  readonly #pid: number;
  readonly #rss: number[] = [];
  readonly #openFiles: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), SAMPLE_MS);
    this.#look();
  }

  stop(): { rssGrowthPercent: number; openFilesBefore: number; openFilesAfter: number } {
    clearInterval(this.#timer);
    this.#look();
    const tenth = Math.max(1, Math.floor(this.#rss.length / 10));
    const growth = median(this.#rss.slice(-tenth)) / median(this.#rss.slice(tenth, 2 * tenth + 1)) - 1;
    return {
      rssGrowthPercent: Math.round(growth * 1000) / 10,
      openFilesBefore: this.#openFiles[0]!,
      openFilesAfter: this.#openFiles.at(-1)!,
    };
  }

  #look(): void {
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

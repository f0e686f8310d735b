import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/programs.ts';
import { CameraServer } from './camera-server.ts';
import { ask } from './history.ts';
import type { Installation, Watched } from './installation.ts';
import { installedPart } from './part.ts';

interface OverloadResult {
  readonly cameras: number;
  readonly wantedFps: number;
  readonly minAnalysisFps: number;
  /** Of the mean camera while the node was overloaded, as Prometheus was told. */
  readonly analysedFps: number;
  /** Of the camera that has the fewest, and of the one that has the most. */
  readonly leastFps: number;
  readonly mostFps: number;
  readonly droppedPercent: number;
  readonly lagSeconds: number;
  /** From the last camera's first frame until device, status and node said it. */
  readonly toldAfterSeconds: number;
  /** Cameras that carried the warning, and that Prometheus was told of as overloaded, a moment later. */
  readonly warnedCameras: number;
  readonly overloadedInPrometheus: number;
  readonly waitingFor: string | null;
  /** From the stop of all cameras but one, of which less is wanted then, until the node was well, and until the one that waited was analysed. */
  readonly wellAfterSeconds: number;
  readonly nextRunsAfterSeconds: number;
  /** In their order, to the one user. */
  readonly nodeEvents: readonly string[];
  readonly passed: boolean;
}

export const overload = installedPart({
  name: 'overload',
  description:
    'More frames than a node can analyse: device, run, node and Prometheus say so, and no camera is added.',
  options: {
    cameras: ['cameras, a scene each', 8],
    fps: ['frames a second of each, sent and wanted', 25],
    minFps: ['frames a second of each below which the node leaves none out; 30: it leaves out none', 2],
    withinSeconds: ['overload has to be told within so long, a minute of it included', 120],
  },
  needs: { workers: 0 },
  run: runOverload,
});

/** Frames a second that any node can analyse. */
const LITTLE_FPS = 1;

interface Status {
  readonly computeNodeHealth: string;
  readonly devices: readonly {
    readonly warnings: readonly { readonly reason: string }[];
    readonly scenes: readonly { readonly status: string; readonly waitingFor?: string }[];
  }[];
}

type Numbers = Readonly<Record<'cameras' | 'fps' | 'minFps' | 'withinSeconds', number>>;

/** Gives a node more than it can do, then less again: both are told everywhere, once. */
async function runOverload(
  installation: Installation,
  { cameras: count, fps, minFps, withinSeconds }: Numbers,
): Promise<OverloadResult> {
  const metricsPort = await freePort(0);
  installation.environment.METRICS_PORT = String(metricsPort);
  installation.environment.MIN_ANALYSIS_FPS = String(minFps);
  installation.startWorker(0);
  await installation.until('the worker is ready', async () => (await installation.liveNodes()) === 1, 120);
  const server = await CameraServer.open(fps);
  try {
    const add = (name: string, analysisFps = fps) =>
      installation.addCamera(name, `http://127.0.0.1:${server.port}/stream`, analysisFps);
    const statusOf = ({ deviceId }: Watched) =>
      installation.client.get<Status>(`/devices/${deviceId}/analysis/status`);
    const isRunning = async (camera: Watched) =>
      (await statusOf(camera)).devices[0]?.scenes[0]?.status === 'running';
    const isWarned = async (camera: Watched) =>
      (await statusOf(camera)).devices[0]?.warnings.some(({ reason }) => reason === 'overloaded') ?? false;
    const health = async (camera: Watched) => (await statusOf(camera)).computeNodeHealth;
    const all = async (cameras: readonly Watched[], is: (camera: Watched) => Promise<boolean>) =>
      (await Promise.all(cameras.map(is))).filter(Boolean).length;

    const cameras: Watched[] = [];
    for (let number = 1; number <= count; number++) cameras.push(await add(`Overload ${number}`));
    for (const camera of cameras) await installation.start(camera);
    const everyone = async () => (await all(cameras, isRunning)) === count;
    await installation.until('every camera gives frames', everyone, 120);
    const isTold = async () =>
      (await all(cameras, isWarned)) > 0 && (await health(cameras[0]!)) === 'degraded';
    const toldAfterSeconds = await installation.until('overload is told', isTold, withinSeconds);
    installation.note('overload is told');

    const next = await add('Overload next', LITTLE_FPS);
    await installation.start(next);
    await pause(10_000);
    const waitingFor = (await statusOf(next)).devices[0]?.scenes[0]?.waitingFor ?? null;
    const warnedCameras = await all(cameras, isWarned);
    const scraped = await scrape(metricsPort);
    const nodeSays = scraped.sum('node_overloaded');

    for (const camera of cameras.slice(1)) await installation.stop(camera);
    await installation.client.patch(`/devices/${cameras[0]!.deviceId}`, { analysisFps: LITTLE_FPS });
    installation.note('the other cameras are stopped, and less is wanted of the first one');
    const isWell = async () => (await health(cameras[0]!)) === 'healthy';
    const wellAfterSeconds = await installation.until('the node is well again', isWell, 180);
    const nextRunsAfterSeconds =
      wellAfterSeconds + (await installation.until('the next camera is analysed', () => isRunning(next), 60));
    const told = () =>
      ask<{ state: string }>(
        installation.databaseUrl,
        `SELECT convert_from(body, 'UTF8')::jsonb->'data'->>'state' AS state FROM "Event"
       WHERE type = 'node_warning' ORDER BY sequence`,
      );
    await installation.until('its end is told', async () => (await told()).length >= 2, 30);
    const nodeEvents = (await told()).map(({ state }) => state);
    const dropped = scraped.sum('camera_frames_dropped_total');
    const processed = scraped.sum('camera_frames_processed_total');
    const overloadedInPrometheus = scraped.sum('camera_overloaded');
    return {
      cameras: count,
      wantedFps: fps,
      minAnalysisFps: minFps,
      analysedFps: round(scraped.sum('camera_frames_per_second') / count),
      leastFps: Math.min(...scraped.values('camera_frames_per_second')),
      mostFps: Math.max(...scraped.values('camera_frames_per_second')),
      droppedPercent: round((100 * dropped) / (dropped + processed)),
      lagSeconds: round(scraped.sum('camera_lag_seconds') / count),
      toldAfterSeconds: round(toldAfterSeconds),
      warnedCameras,
      overloadedInPrometheus,
      waitingFor,
      wellAfterSeconds: round(wellAfterSeconds),
      nextRunsAfterSeconds: round(nextRunsAfterSeconds),
      nodeEvents,
      passed:
        warnedCameras > 0 &&
        overloadedInPrometheus > 0 &&
        nodeSays === 1 &&
        waitingFor === 'capacity' &&
        nodeEvents.join() === 'began,ended',
    };
  } finally {
    await server.close();
  }
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** What the worker tells Prometheus. */
async function scrape(port: number): Promise<{ values(name: string): number[]; sum(name: string): number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const values = (name: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  return { values, sum: (name) => values(name).reduce((sum, value) => sum + value, 0) };
}

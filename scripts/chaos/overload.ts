import { setTimeout as pause } from 'node:timers/promises';
import type { Camera } from '../support/installation.ts';
import { freePort } from '../support/loopback.ts';
import { scrape } from '../support/scrape.ts';
import { openJpegCamera } from './cameras/jpeg-camera.ts';
import { installedPart } from './part.ts';
import { verdict } from './verdict.ts';

export const overload = installedPart({
  name: 'overload',
  description:
    'Sends a node more frames than it can analyse: device, run, node and Prometheus report it, and it takes no more cameras.',
  options: {
    cameras: ['cameras, a scene each', 8],
    fps: ['frames a second that each sends and that shall be analysed', 25],
    minFps: ['MIN_ANALYSIS_FPS: the node skips no frames below so many a second; 30: it never skips', 2],
    withinSeconds: [
      'overload must be reported within this time, which includes the minute that defines it',
      120,
    ],
  },
  needs: { workers: 0 },
  /** Overloads a node, then ends the overload. Both must be reported everywhere, once. */
  async run(installation, { cameras: count, fps, minFps, withinSeconds }) {
    const metricsPort = await freePort();
    installation.environment.METRICS_PORT = String(metricsPort);
    installation.environment.MIN_ANALYSIS_FPS = String(minFps);
    installation.startWorker(0);
    await installation.untilNodes(1);
    const server = await openJpegCamera(fps);
    try {
      const url = `http://127.0.0.1:${server.port}/stream`;
      const status = ({ deviceId }: Camera) =>
        installation.client.get<Status>(`/devices/${deviceId}/analysis/status`);
      const scene = async (camera: Camera) => (await status(camera)).devices[0]?.scenes[0];
      const isRunning = async (camera: Camera) => (await scene(camera))?.status === 'running';
      const isWarned = async (camera: Camera) =>
        (await status(camera)).devices[0]?.warnings.some(({ reason }) => reason === 'overloaded') ?? false;
      const countOf = async (is: (camera: Camera) => Promise<boolean>) =>
        (await Promise.all(cameras.map(is))).filter(Boolean).length;

      const cameras: Camera[] = [];
      for (let number = 1; number <= count; number++)
        cameras.push(await installation.addCamera(`Overload ${number}`, url, fps));
      for (const camera of cameras) await installation.start(camera);
      const first = cameras[0]!;
      const isHealth = async (health: string) => (await status(first)).computeNodeHealth === health;
      const allRun = async () => (await countOf(isRunning)) === count;
      await installation.until('every camera has frames', allRun, 120);
      const isReported = async () => (await countOf(isWarned)) > 0 && (await isHealth('degraded'));
      const toldAfterSeconds = await installation.until('overload is reported', isReported, withinSeconds);
      installation.note('overload is reported');

      const next = await installation.addCamera('Overload next', url, LOW_FPS);
      await installation.start(next);
      await pause(10_000);
      const waitingFor = (await scene(next))?.waitingFor ?? null;
      const warnedCameras = await countOf(isWarned);
      const scraped = await scrape([metricsPort]);

      for (const camera of cameras.slice(1)) await installation.stop(camera);
      await installation.client.patch(`/devices/${first.deviceId}`, { analysisFps: LOW_FPS });
      installation.note('the other cameras are stopped, and the first one is analysed at fewer frames');
      const isHealthy = () => isHealth('healthy');
      const wellAfterSeconds = await installation.until('the node is healthy again', isHealthy, 180);
      const nextRuns = await installation.until('the next camera is analysed', () => isRunning(next), 60);
      const nodeWarnings = () =>
        installation.query<{ state: string }>(
          `SELECT convert_from(body, 'UTF8')::jsonb->'data'->>'state' AS state FROM "Event"
           WHERE type = 'node_warning' ORDER BY sequence`,
        );
      const hasEnded = async () => (await nodeWarnings()).length >= 2;
      await installation.until('the end of the overload is reported', hasEnded, 30);
      const nodeEvents = (await nodeWarnings()).map(({ state }) => state);
      const [dropped, processed] = ['dropped', 'processed'].map((kind) =>
        scraped.sum(`camera_frames_${kind}_total`),
      ) as [number, number];
      const rates = scraped.values('camera_frames_per_second');
      const overloadedInPrometheus = scraped.sum('camera_overloaded');
      return {
        cameras: count,
        wantedFps: fps,
        minAnalysisFps: minFps,
        /** Of the mean camera during the overload, as Prometheus got it. */
        analysedFps: round(scraped.sum('camera_frames_per_second') / count),
        leastFps: Math.min(...rates),
        mostFps: Math.max(...rates),
        droppedPercent: round((100 * dropped) / (dropped + processed)),
        lagSeconds: round(scraped.sum('camera_lag_seconds') / count),
        /** From the last camera's first frame until device, status and node reported the overload. */
        toldAfterSeconds: round(toldAfterSeconds),
        /** A moment later: how many cameras had the warning, and how many Prometheus got as overloaded. */
        warnedCameras,
        overloadedInPrometheus,
        /** Why the next camera waited. */
        waitingFor,
        /** From the end of the overload until the node was healthy, and until the waiting camera was analysed. */
        wellAfterSeconds: round(wellAfterSeconds),
        nextRunsAfterSeconds: round(wellAfterSeconds + nextRuns),
        /** States of the `node_warning` events, in their order. */
        nodeEvents,
        ...verdict({
          warnedCameras: { is: warnedCameras, atLeast: 1 },
          overloadedInPrometheus: { is: overloadedInPrometheus, atLeast: 1 },
          'node_overloaded in Prometheus': { is: scraped.sum('node_overloaded'), exactly: 1 },
          waitingFor: { is: waitingFor, exactly: 'capacity' },
          nodeEvents: { is: nodeEvents.join(), exactly: 'began,ended' },
        }),
      };
    } finally {
      await server.close();
    }
  },
});

/** Frames a second that any node can analyse. */
const LOW_FPS = 1;

interface Status {
  readonly computeNodeHealth: string;
  readonly devices: readonly {
    readonly warnings: readonly { readonly reason: string }[];
    readonly scenes: readonly { readonly status: string; readonly waitingFor?: string }[];
  }[];
}

const round = (value: number): number => Math.round(value * 10) / 10;

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { loadConfig } from '../../../src/platform/config.ts';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import type { AnalysisRegion } from '../../../src/vision/region.ts';
import type { QueueZones } from '../../../src/vision/types.ts';
import { writeShopVideo } from '../../support/footage/recordings.ts';
import { requireVideo } from '../../support/footage/video-frames.ts';
import { type Camera, Installation } from '../../support/installation.ts';
import { freePort } from '../../support/loopback.ts';
import { mean, quantile, rounded } from '../../support/numbers.ts';
import { scrape } from '../../support/scrape.ts';
import { treeMemory } from '../../support/tree-memory.ts';
import { MetricsClient } from './metrics-client.ts';

/** So long a file is that no run reaches its end, in seconds. */
const FILE_SECONDS = 3_600;
/** Within this time people are known in cameras that were just opened, and the lane's limits settle. */
const SETTLE_MS = 16_000;
const SHOP = { seconds: 40, fps: 25, seed: 1 };

/** What is analysed of each camera. */
export interface Analysed {
  readonly zones: QueueZones;
  readonly region: AnalysisRegion;
}

/** A number of cameras for a while. */
export interface Load {
  readonly cameras: number;
  /** Of each camera, analysed. */
  readonly framesPerSecond: number;
  readonly droppedPercent: number;
  /** From a frame to the client that gets its metrics. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** MB at the end: worker with its lanes, its ffmpegs, API, PostgreSQL. */
  readonly memoryMb: Readonly<Record<'worker' | 'ffmpeg' | 'api' | 'database', number>>;
  /** Size of the network (`512x288`) → cameras that are analysed in it, at the end. */
  readonly networks: Readonly<Record<string, number>>;
}

/** An installation with one worker whose cameras play the same file at its own speed. */
export class BusyNode {
  readonly #installation: Installation;
  readonly #metrics: MetricsClient;
  readonly #prometheusPort: number;
  readonly #video: string;
  readonly #fps: number;
  /** All cameras that were added; the first ones are analysed. */
  #cameras: Camera[] = [];
  #started = 0;

  private constructor(parts: {
    installation: Installation;
    metrics: MetricsClient;
    prometheusPort: number;
    video: string;
    fps: number;
  }) {
    this.#installation = parts.installation;
    this.#metrics = parts.metrics;
    this.#prometheusPort = parts.prometheusPort;
    this.#video = parts.video;
    this.#fps = parts.fps;
  }

  /**
   * @param folder for the video
   * @param video a file; empty: a simulated shop, 640 × 360, 25 frames/s
   * @param lanes 0: as many as the worker takes by itself
   */
  static async open(
    folder: string,
    { video, fps, lanes }: { video: string; fps: number; lanes: number },
  ): Promise<BusyNode> {
    const long = await longVideo(folder, video);
    const prometheusPort = await freePort();
    const installation = await Installation.open({
      workers: 0,
      environment: {
        MEDIA_ROOT: folder,
        // An empty variable counts as not set: the worker chooses.
        LANES: lanes === 0 ? '' : String(lanes),
        MAX_CONCURRENT_DEVICES: '1000',
        // A lane that cannot keep up drops frames at once instead of taking fewer of each camera.
        MIN_ANALYSIS_FPS: '30',
        // A shop in which somebody always moves.
        SKIP_STILL_FRAMES: 'false',
        LOG_LEVEL: 'warn',
      },
    });
    try {
      // The API would take the same port.
      installation.environment.METRICS_PORT = String(prometheusPort);
      installation.startWorker(0);
      await installation.untilNodes(1);
      const metrics = await MetricsClient.open(installation.baseUrl, installation.key);
      return new BusyNode({ installation, metrics, prometheusPort, video: long, fps });
    } catch (error) {
      await installation.close();
      throw error;
    }
  }

  /** From now on cameras are others. The former cameras are stopped. */
  async use(analysed: Analysed): Promise<void> {
    await this.#run(0, analysed);
    this.#cameras = [];
  }

  /** Analyses so many cameras and measures them for a while. */
  async measure(cameras: number, analysed: Analysed, seconds: number): Promise<Load> {
    await this.#run(cameras, analysed);
    await pause(SETTLE_MS);
    const before = await scrape(this.#prometheusPort);
    this.#metrics.reset();
    await pause(seconds * 1000);
    const after = await scrape(this.#prometheusPort);
    const counted = (kind: string) => {
      const name = `camera_frames_${kind}_total`;
      return after.sum(name) - before.sum(name);
    };
    const [processed, dropped] = [counted('processed'), counted('dropped')];
    const { latenciesMs } = this.#metrics;
    const at = (share: number) => Math.round(quantile(latenciesMs, share));
    return {
      cameras,
      framesPerSecond: rounded(mean(after.values('camera_frames_per_second')), 2),
      droppedPercent: rounded((100 * dropped) / Math.max(1, processed + dropped), 2),
      ...{ p50Ms: at(0.5), p95Ms: at(0.95) },
      memoryMb: this.#memory(),
      networks: await this.#networks(),
    };
  }

  #memory(): Load['memoryMb'] {
    const { workers, api, databasePid } = this.#installation;
    const worker = treeMemory(workers[0]!.pid);
    return {
      ...{ worker: inMb(worker.programs), ffmpeg: inMb(worker.ffmpeg) },
      ...{ api: inMb(treeMemory(api.pid).programs), database: inMb(treeMemory(databasePid).programs) },
    };
  }

  async #networks(): Promise<Record<string, number>> {
    const rows = await this.#installation.query<{ size: string; cameras: number }>(
      `SELECT concat(stats->'analysed'->'size'->>'width', 'x', stats->'analysed'->'size'->>'height') AS size,
              count(*)::int AS cameras
       FROM "AnalysisTask" WHERE status = 'PROCESSING' GROUP BY 1 ORDER BY 2 DESC`,
    );
    return Object.fromEntries(rows.map(({ size, cameras }) => [size, cameras]));
  }

  async close(): Promise<void> {
    this.#metrics.close();
    await this.#installation.close();
  }

  /** Starts or stops cameras until so many are analysed and have frames. */
  async #run(wanted: number, analysed: Analysed): Promise<void> {
    const installation = this.#installation;
    while (this.#started > wanted) await installation.stop(this.#cameras[--this.#started]!);
    while (this.#cameras.length < wanted) this.#cameras.push(await this.#add(analysed));
    const sinceMs = Date.now();
    const taskIds: string[] = [];
    while (this.#started < wanted) {
      const camera = this.#cameras[this.#started]!;
      await this.#untilIdle(camera);
      taskIds.push(await installation.start(camera));
      this.#started++;
    }
    await installation.untilFrames(taskIds, sinceMs, 180);
  }

  async #add({ zones, region: analysisRegion }: Analysed): Promise<Camera> {
    const { client } = this.#installation;
    const name = `Camera ${this.#cameras.length + 1}`;
    const stream = { streamUrl: `file:${this.#video}`, analysisFps: this.#fps };
    const wanted = { name, ...stream, analysisRegion };
    const { id: deviceId } = await client.post<{ id: string }>('/devices', wanted);
    const scene = { deviceId, name, analysisType: 'queue_analysis', config: { zones } };
    const { id: sceneId } = await client.post<{ id: string }>('/scenes', scene);
    return { deviceId, sceneId };
  }

  /** A run that was stopped ends a moment later. */
  async #untilIdle({ sceneId }: Camera): Promise<void> {
    const isIdle = async () => {
      const rows = await this.#installation.query(
        `SELECT 1 FROM "AnalysisTask" WHERE "sceneId" = $1 AND status IN ('QUEUED', 'PROCESSING')`,
        [sceneId],
      );
      return rows.length === 0;
    };
    await this.#installation.until('the former run has ended', isIdle, 60);
  }
}

const inMb = (bytes: number): number => Math.round(bytes / 1e6);

/** A copy of a video that is repeated until it is long enough. */
async function longVideo(folder: string, video: string): Promise<string> {
  const media = resolve(folder);
  await mkdir(media, { recursive: true });
  const long = join(media, 'long.mp4');
  const times = Math.ceil(FILE_SECONDS / SHOP.seconds);
  if (video === '') {
    await writeShopVideo(long, { ...SHOP, times });
    return long;
  }
  await requireVideo(video);
  const { ffmpegPath, ffprobePath } = loadConfig();
  const { ffmpeg } = await findFfmpeg({ ffmpegPath, ffprobePath });
  const repeat = ['-stream_loop', '-1', '-i', resolve(video), '-t', String(FILE_SECONDS), '-map', '0:v:0'];
  const argv = ['-nostdin', '-loglevel', 'error', '-y', ...repeat, '-c', 'copy', long];
  await promisify(execFile)(ffmpeg.path, argv);
  return long;
}

import { setTimeout as pause } from 'node:timers/promises';
import type { AnalysisRegion } from '../../../src/vision/region.ts';
import type { QueueZones } from '../../../src/vision/types.ts';
import { queueRecording, repeatedVideo } from '../../support/footage/recordings.ts';
import { type Camera, Installation } from '../../support/installation.ts';
import { freePort } from '../../support/loopback.ts';
import { mean, quantile, rounded, sum } from '../../support/numbers.ts';
import { processTree } from '../../support/process-tree.ts';
import { scrape } from '../../support/scrape.ts';
import { treeMemory } from '../../support/tree-memory.ts';
import { LiveClient } from '../live/live-client.ts';
import { type FilmOptions, makeFilms } from './cameras/films.ts';
import { LiveCameras } from './cameras/live-cameras.ts';
import { type Arrival, MetricsClient } from './metrics-client.ts';
import { msPerFrame, processorSeconds, type Share } from './processor-shares.ts';
import { type Parts as ProfileParts, partsOf, profileOf } from './profile.ts';

/** Within this time people are known in cameras that were just opened, and the lane's limits settle. */
const SETTLE_MS = 16_000;
/** Between two looks whether a live picture has come. */
const LOOK_MS = 20;
/** The API probes each for some seconds, because cameras send no faster than they see. */
const ADDED_AT_ONCE = 8;
/** With a hundred cameras one after the other would take longer than the measurement. */
const PICTURES_AT_ONCE = 4;
/** So long a recording beside is that no run reaches its end, in seconds. */
const RECORDING_SECONDS = 3_600;

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
  /** From the moment at which the camera sends a frame to the client that gets its numbers: the median of all cameras. */
  readonly p50Ms: number;
  /** … 95 % of the numbers of the camera in which they come latest. */
  readonly p95Ms: number;
  /** … 95 % of the numbers of all cameras. */
  readonly allP95Ms: number;
  /** From that moment to the time that the product gives the frame, in the camera in which it is longest. */
  readonly arrivalMs: number;
  /**
   * By how much longer than usual cameras that ran already were without new numbers while others were opened; null: none ran, or none
   * was opened.
   */
  readonly openingMs: number | null;
  /** CPU time of all threads for a frame, in ms. */
  readonly cpuMs: Readonly<Record<Share, number>>;
  /** MB at the end: worker with its lanes, its ffmpegs, API, PostgreSQL. */
  readonly memoryMb: Readonly<Record<'worker' | 'ffmpeg' | 'api' | 'database', number>>;
  /** Size of the network (`512x288`) → cameras that are analysed in it, at the end. */
  readonly networks: Readonly<Record<string, number>>;
}

interface NodeOptions extends FilmOptions {
  /** Of each camera to analyse in a second. */
  readonly fps: number;
  /** 0: as many as the worker takes by itself. */
  readonly lanes: number;
  readonly workers: number;
  /** Recordings that are analysed beside the cameras. */
  readonly recordings: number;
  /** Whether what was found of people who stand holds for a while. */
  readonly holdStill: boolean;
}

interface Parts {
  readonly installation: Installation;
  readonly metrics: MetricsClient;
  readonly live: LiveCameras;
  /** Of each worker. */
  readonly prometheusPorts: readonly number[];
  readonly options: NodeOptions;
}

/** An installation on this machine, by default with one worker, and cameras that send whether or not it keeps up. */
export class BusyNode {
  readonly #parts: Parts;
  /** All cameras that were added; the first ones are analysed. */
  #cameras: Camera[] = [];
  #started = 0;
  /** The longest time without new numbers in the last calm measurement, by device. */
  #calmMs: number | null = null;
  #openingMs: number | null = null;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param folder for the films */
  static async open(folder: string, options: NodeOptions): Promise<BusyNode> {
    const films = await makeFilms(folder, options);
    const installation = await Installation.open({
      workers: 0,
      environment: {
        // An empty variable counts as not set: the worker chooses.
        LANES: options.lanes === 0 ? '' : String(options.lanes),
        MAX_CONCURRENT_DEVICES: '1000',
        // A lane that cannot keep up drops frames at once instead of taking fewer of each camera.
        MIN_ANALYSIS_FPS: '30',
        // In a busy shop somebody always moves.
        SKIP_STILL_FRAMES: String(options.standing || options.holdStill),
        HOLD_STILL_PEOPLE: String(options.holdStill),
        LOG_LEVEL: 'warn',
      },
    });
    let live: LiveCameras | undefined;
    try {
      live = await LiveCameras.open(films);
      // The API would take the same port.
      const prometheusPorts: number[] = [];
      for (let number = 0; number < options.workers; number++) {
        prometheusPorts.push(await freePort());
        installation.environment.METRICS_PORT = String(prometheusPorts.at(-1));
        installation.startWorker(number);
        // Where the first one measures its models, the others find the result.
        await installation.untilNodes(number + 1);
      }
      if (options.recordings > 0) {
        const long = await repeatedVideo(films.drawn, folder, RECORDING_SECONDS);
        for (let number = 0; number < options.recordings; number++)
          await queueRecording(installation, long, RECORDING_SECONDS);
      }
      const metrics = await MetricsClient.open(installation.baseUrl, installation.key);
      return new BusyNode({ installation, metrics, live, prometheusPorts, options });
    } catch (error) {
      await Promise.all([installation.close(), live?.close()]);
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
    const { metrics, installation, prometheusPorts } = this.#parts;
    await this.#run(cameras, analysed);
    await pause(SETTLE_MS);
    const before = await scrape(prometheusPorts);
    const firstLags = await this.#lags();
    const cpuBefore = processorSeconds(installation);
    metrics.reset();
    await pause(seconds * 1000);
    const cpuAfter = processorSeconds(installation);
    const arrivals = new Map(metrics.arrivals);
    const after = await scrape(prometheusPorts);
    const lastLags = await this.#lags();
    const counted = (kind: string) => {
      const name = `camera_frames_${kind}_total`;
      return after.sum(name) - before.sum(name);
    };
    const [processed, dropped] = [counted('processed'), counted('dropped')];
    const lags = firstLags.map((lag, at) => Math.max(lag, lastLags[at]!));
    const latencies = this.#running.map(({ deviceId }, at) =>
      (arrivals.get(deviceId) ?? []).map(({ latencyMs }) => latencyMs + lags[at]!),
    );
    this.#calmMs = longestSilence(this.#running, arrivals);
    return {
      cameras,
      framesPerSecond: rounded(mean(after.values('camera_frames_per_second')), 2),
      droppedPercent: rounded((100 * dropped) / Math.max(1, processed + dropped), 2),
      p50Ms: Math.round(quantile(latencies.flat(), 0.5)),
      allP95Ms: Math.round(quantile(latencies.flat(), 0.95)),
      // A camera without any numbers has none in time.
      p95Ms: Math.round(
        Math.max(...latencies.map((of) => (of.length === 0 ? 1000 * seconds : quantile(of, 0.95)))),
      ),
      arrivalMs: Math.round(Math.max(...lags)),
      openingMs: this.#openingMs,
      cpuMs: msPerFrame(cpuBefore, cpuAfter, processed),
      memoryMb: this.#memory(),
      networks: await this.#networks(),
    };
  }

  /** Where the time of the main thread of each program goes, one after the other. */
  async profile(seconds: number): Promise<Record<string, ProfileParts>> {
    const { installation } = this.#parts;
    const worker = installation.workers[0]!.pid;
    const [lane] = processTree(worker)
      .filter(({ pid, name }) => pid !== worker && !name.startsWith('ff'))
      .toSorted((a, b) => b.rssBytes - a.rssBytes);
    const framesAt = async () =>
      (await scrape(this.#parts.prometheusPorts)).sum('camera_frames_processed_total');
    const measured: Record<string, ProfileParts> = {};
    for (const [name, pid] of Object.entries({ lane: lane!.pid, worker, api: installation.api.pid })) {
      const before = await framesAt();
      const profile = await profileOf(pid, seconds);
      const frames = (await framesAt()) - before;
      measured[name] = partsOf(profile).map(([part, ms]) => [part, rounded(ms / Math.max(1, frames), 3)]);
    }
    return measured;
  }

  get #running(): readonly Camera[] {
    return this.#cameras.slice(0, this.#started);
  }

  /** From the moment at which each camera sends a frame to the time that the product gives it. */
  async #lags(): Promise<number[]> {
    const { live, options } = this.#parts;
    const lagOf = async ({ deviceId }: Camera, at: number) => {
      const { jpeg, capturedAtMs } = await (options.secondStreams
        ? this.#livePicture(deviceId)
        : this.#currentFrame(deviceId));
      return live.lagMs(at, jpeg, capturedAtMs);
    };
    const lags: number[] = [];
    const cameras = [...this.#running.entries()];
    for (let from = 0; from < cameras.length; from += PICTURES_AT_ONCE) {
      const some = cameras.slice(from, from + PICTURES_AT_ONCE);
      lags.push(...(await Promise.all(some.map(([at, camera]) => lagOf(camera, at)))));
    }
    return lags;
  }

  /** The newest frame that was analysed; of a camera with two streams one of the other stream, which is opened for it. */
  async #currentFrame(deviceId: string) {
    const { baseUrl, key } = this.#parts.installation;
    const response = await fetch(`${baseUrl}/api/v1/devices/${deviceId}/frame`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (!response.ok) throw new Error(`A picture of ${deviceId}: the answer was ${response.status}.`);
    const capturedAtMs = Date.parse(response.headers.get('X-Captured-At') ?? '');
    return { jpeg: new Uint8Array(await response.arrayBuffer()), capturedAtMs };
  }

  /** A frame of the stream that is analysed. */
  async #livePicture(deviceId: string) {
    const { baseUrl, key } = this.#parts.installation;
    const client = await LiveClient.open(`${baseUrl}/api/v1/devices/${deviceId}/live`, key);
    try {
      for (;;) {
        if (client.newest) return client.newest;
        await pause(LOOK_MS);
      }
    } finally {
      client.close();
    }
  }

  #memory(): Load['memoryMb'] {
    const { workers, api, databasePid } = this.#parts.installation;
    const trees = workers.map(({ pid }) => treeMemory(pid));
    return {
      worker: inMb(sum(trees.map(({ programs }) => programs))),
      ffmpeg: inMb(sum(trees.map(({ ffmpeg }) => ffmpeg))),
      ...{ api: inMb(treeMemory(api.pid).programs), database: inMb(treeMemory(databasePid).programs) },
    };
  }

  async #networks(): Promise<Record<string, number>> {
    const rows = await this.#parts.installation.query<{ size: string; cameras: number }>(
      `SELECT concat(stats->'analysed'->'size'->>'width', 'x', stats->'analysed'->'size'->>'height') AS size,
              count(*)::int AS cameras
       FROM "AnalysisTask" JOIN "Device" d ON d.id = "deviceId" WHERE status = 'PROCESSING' AND d.kind <> 'recording' GROUP BY 1 ORDER BY 2 DESC`,
    );
    return Object.fromEntries(rows.map(({ size, cameras }) => [size, cameras]));
  }

  async close(): Promise<void> {
    this.#parts.metrics.close();
    await this.#parts.installation.close();
    await this.#parts.live.close();
  }

  /** Starts or stops cameras until so many are analysed and have frames. */
  async #run(wanted: number, analysed: Analysed): Promise<void> {
    const { installation, metrics } = this.#parts;
    while (this.#started > wanted) await installation.stop(this.#cameras[--this.#started]!);
    while (this.#cameras.length < wanted) {
      const numbers = Array.from({ length: Math.min(wanted - this.#cameras.length, ADDED_AT_ONCE) });
      const first = this.#cameras.length;
      this.#cameras.push(...(await Promise.all(numbers.map((_, at) => this.#add(first + at, analysed)))));
    }
    const others = this.#running;
    const sinceMs = Date.now();
    const taskIds: string[] = [];
    metrics.reset();
    while (this.#started < wanted) {
      const camera = this.#cameras[this.#started]!;
      await this.#untilIdle(camera);
      taskIds.push(await installation.start(camera));
      this.#started++;
    }
    await installation.untilFrames(taskIds, sinceMs, 180);
    const silenceMs = taskIds.length === 0 ? null : longestSilence(others, metrics.arrivals);
    this.#openingMs =
      silenceMs === null || this.#calmMs === null ? null : Math.max(0, silenceMs - this.#calmMs);
  }

  async #add(number: number, { zones, region: analysisRegion }: Analysed): Promise<Camera> {
    const { installation, live, options } = this.#parts;
    const { client } = installation;
    const name = `Camera ${number + 1}`;
    const stream = {
      streamUrl: live.url(number, 'main'),
      ...(options.secondStreams && { analysisStreamUrl: live.url(number, 'second') }),
    };
    const wanted = { name, ...stream, analysisFps: options.fps, analysisRegion };
    const { id: deviceId } = await client.post<{ id: string }>('/devices', wanted);
    const scene = { deviceId, name, analysisType: 'queue_analysis', config: { zones } };
    const { id: sceneId } = await client.post<{ id: string }>('/scenes', scene);
    return { deviceId, sceneId };
  }

  /** A run that was stopped ends a moment later. */
  async #untilIdle({ sceneId }: Camera): Promise<void> {
    const isIdle = async () => {
      const rows = await this.#parts.installation.query(
        `SELECT 1 FROM "AnalysisTask" WHERE "sceneId" = $1 AND status IN ('QUEUED', 'PROCESSING')`,
        [sceneId],
      );
      return rows.length === 0;
    };
    await this.#parts.installation.until('the former run has ended', isIdle, 60);
  }
}

const inMb = (bytes: number): number => Math.round(bytes / 1e6);

/** The longest time in ms for which the newest known numbers of one of these cameras were not followed by newer ones. */
function longestSilence(
  cameras: readonly Camera[],
  arrivals: ReadonlyMap<string, readonly Arrival[]>,
): number | null {
  const silences = cameras.flatMap(({ deviceId }) =>
    (arrivals.get(deviceId) ?? []).flatMap(({ oldestMs }) => oldestMs ?? []),
  );
  return silences.length === 0 ? null : Math.max(...silences);
}

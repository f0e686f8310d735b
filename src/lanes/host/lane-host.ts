import type { Logger } from 'pino';
import { CameraProxies } from '../../video/proxy/camera-proxies.ts';
import { FrameClock } from '../frame-clock.ts';
import { isRecorded, type LaneImage, type LaneOptions, type ToLane } from '../lane-protocol.ts';
import type { SecondStreamTiming } from '../second-streams.ts';
import { Turns } from '../turns.ts';
import type { HostChannel } from './channel.ts';
import { UNLIMITED, withLaneSample } from './frame-limit.ts';
import { LaneCameras } from './lane-cameras.ts';
import { LaneRecordings } from './lane-recordings.ts';
import { measureDetector } from './measure-detector.ts';
import { type LaneTools, openLane } from './open-lane.ts';
import { grabbedPicture } from './outgoing-pictures.ts';

const HEARTBEAT_MS = 1000;

/** A lane after `open`. */
interface OpenLane extends LaneTools {
  readonly cameras: LaneCameras;
  readonly recordings: LaneRecordings;
  readonly proxies: CameraProxies;
  readonly minAnalysisFps: number;
}

/** The inside of a lane: one detector and the cameras that share it, driven by messages. */
export class LaneHost {
  readonly #channel: HostChannel;
  readonly #secondStreams: SecondStreamTiming | undefined;
  readonly #log: Logger;
  readonly #clock = new FrameClock();
  readonly #turns = new Turns();
  #lane: OpenLane | null = null;
  #limit = UNLIMITED;
  #heartbeat: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  constructor(channel: HostChannel, log: Logger, secondStreams?: SecondStreamTiming) {
    this.#secondStreams = secondStreams;
    this.#channel = channel;
    this.#log = log;
  }

  async handle(message: ToLane): Promise<void> {
    if (this.#closed) return this.#closed;
    switch (message.type) {
      case 'open':
        return this.#open(message);
      case 'clock':
        return this.#clock.anchor(message.offsetMs);
      case 'addCamera':
        if (isRecorded(message.camera)) return this.#opened.recordings.add(message.camera);
        return this.#opened.cameras.add(message.camera);
      case 'updateCamera':
        // A recording never changes.
        if (isRecorded(message.camera)) return;
        return this.#opened.cameras.update(message.camera, message.drain);
      case 'removeCamera':
        await this.#opened.recordings.remove(message.deviceId);
        return this.#opened.cameras.remove(message.deviceId, message.drain);
      case 'stored':
        return this.#opened.recordings.stored(message.deviceId, message.batch);
      case 'watch':
        return this.#opened.cameras.watch(message);
      case 'image': {
        const image = await this.#opened.cameras.image(message.deviceId, message.frameIndex);
        return this.#answerImage(message.requestId, image);
      }
      case 'grab':
        return this.#answerImage(message.requestId, await this.#grab(message));
      case 'measure':
        return this.#measure(message.requestId);
      case 'stop':
        return this.close();
    }
  }

  /** Ends every camera stream. It ends no run: another lane continues them. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearInterval(this.#heartbeat);
    const lane = this.#lane;
    if (!lane) return;
    await Promise.all([lane.cameras.close(), lane.recordings.close()]);
    this.#lane = null;
    await this.#turns.take(() => lane.detector.dispose());
    await this.#turns.take(async () => lane.brightness?.release());
    await this.#turns.take(() => lane.attributeModels.close());
    await lane.proxies.close();
  }

  get #opened(): OpenLane {
    if (!this.#lane) throw new Error('A camera came before the model was open.');
    return this.#lane;
  }

  async #open(options: LaneOptions): Promise<void> {
    this.#clock.anchor(options.clockOffsetMs);
    // Before the model: opening it takes a while, and the node must hear that the lane lives.
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(), HEARTBEAT_MS);
    try {
      const tools = await openLane(options, { log: this.#log, onLost: (reason) => this.#lost(reason) });
      this.#turns.atOnce = tools.detector.batchSize ?? 1;
      const proxies = new CameraProxies(options.network);
      const cameras = new LaneCameras({
        ...{ tools, proxies, channel: this.#channel, clock: this.#clock, turns: this.#turns, log: this.#log },
        watchdogMs: options.watchdogMs,
        secondStreams: this.#secondStreams,
        hardware: options.hardware,
        limitFps: () => this.#limit.fps,
        minFps: options.minAnalysisFps,
      });
      const recordings = new LaneRecordings({
        ...{ tools, channel: this.#channel, turns: this.#turns, log: this.#log },
      });
      this.#lane = { ...tools, proxies, cameras, recordings, minAnalysisFps: options.minAnalysisFps };
    } catch (error) {
      this.#channel.send({ type: 'unusable', message: (error as Error).message });
      return;
    }
    const { name: model, executionProvider, fallback = null } = this.#lane.detector;
    const msPerFrame = await this.#msPerFrame();
    if (msPerFrame !== null)
      this.#channel.send({ type: 'ready', model, executionProvider, fallback, msPerFrame });
  }

  /** No run ends: the next lane continues them. */
  #lost(reason: string): void {
    this.#log.error({ reason }, 'the GPU of the lane failed');
    this.#channel.send({ type: 'lost', message: reason });
  }

  #grab({
    url,
    networks,
    privacy,
    rotation,
    timeoutMs,
  }: Extract<ToLane, { type: 'grab' }>): Promise<LaneImage> {
    const { binaries, detector, proxies } = this.#opened;
    const cameraProxy = proxies.of(networks);
    const { revision: privacyRevision } = privacy;
    return grabbedPicture(url, privacy, {
      ...{ binaries, timeoutMs, cameraProxy, rotation },
      ...{ detector, turns: this.#turns },
    }).then(
      (jpeg) => ({ jpeg, capturedAtMs: this.#clock.now(), privacyRevision, fault: null }),
      (error: Error) => ({ jpeg: null, capturedAtMs: null, privacyRevision: null, fault: error.message }),
    );
  }

  #answerImage(requestId: number, image: LaneImage): void {
    this.#channel.send({ type: 'image', requestId, ...image });
  }

  /** @returns null when the lane was closed meanwhile */
  #msPerFrame(): Promise<number | null> {
    const cameras = this.#opened.cameras.size + this.#opened.recordings.size;
    return measureDetector(() => this.#lane?.detector ?? null, { turns: this.#turns, cameras });
  }

  async #measure(requestId: number): Promise<void> {
    const msPerFrame = await this.#msPerFrame();
    if (msPerFrame !== null) this.#channel.send({ type: 'measured', requestId, msPerFrame });
  }

  /** Takes fewer frames of each camera when the lane cannot analyse all of them. */
  #updateLimit({ cameras, minAnalysisFps }: OpenLane): void {
    const before = this.#limit.fps;
    const counts = cameras.counts();
    const sample = { atMs: performance.now(), busyMs: this.#turns.busyMs, cameras: counts };
    this.#limit = withLaneSample(this.#limit, sample, minAnalysisFps);
    const { fps } = this.#limit;
    if (fps !== null && before === null)
      this.#log.warn(
        { fps, cameras: counts.length },
        'the lane is too busy: it takes fewer frames of each camera',
      );
    if (fps === null && before !== null) this.#log.info('the lane takes all frames again');
  }

  #sendHeartbeat(): void {
    if (this.#lane) this.#updateLimit(this.#lane);
    const cameras = this.#lane ? [...this.#lane.cameras.stats(), ...this.#lane.recordings.stats()] : [];
    const hardwareFault = this.#lane?.cameras.hardwareFault ?? null;
    this.#channel.send({ type: 'alive', rssBytes: process.memoryUsage.rss(), cameras, hardwareFault });
  }
}

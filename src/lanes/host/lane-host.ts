import type { Logger } from 'pino';
import { loadDetector } from '../../models/load-detector.ts';
import { createSource } from '../../video/create-source.ts';
import { type FfmpegBinaries, findFfmpeg } from '../../video/ffmpeg/ffmpeg-binaries.ts';
import type { FrameSource, StreamEvent } from '../../video/frame-source.ts';
import { grabImage } from '../../video/grab-image.ts';
import { CameraProxies } from '../../video/proxy/camera-proxies.ts';
import { StreamError } from '../../video/stream-error.ts';
import { Budget } from '../../vision/attributes/budget.ts';
import type { Detector } from '../../vision/detect/detector.ts';
import { FrameClock } from '../frame-clock.ts';
import type { FromLane, LaneCamera, LaneOptions, RunObservation, ToLane } from '../lane-protocol.ts';
import { Turns } from '../turns.ts';
import { Camera } from './camera.ts';
import { UNLIMITED, withLaneSample } from './frame-limit.ts';
import { LaneAttributeModels } from './lane-attribute-models.ts';
import { measureDetector } from './measure-detector.ts';

const ALIVE_MS = 1000;
const CHECKPOINT_MS = 2000;
/** Of a lane's time, for looking at people: frames are what it is for. */
const PEOPLE_SHARE = 0.04;

/** What the host needs of the world: somewhere to speak to. */
export interface HostChannel {
  readonly keepsUp: boolean;
  send(message: FromLane): void;
}

/** A lane's inside: one detector session and the cameras that share it, driven by messages. */
export class LaneHost {
  readonly #channel: HostChannel;
  readonly #log: Logger;
  readonly #clock = new FrameClock();
  readonly #turns = new Turns();
  readonly #cameras = new Map<string, Camera>();
  /** What is wanted of cameras whose former stream is still ending. */
  readonly #reopening = new Map<string, LaneCamera>();
  readonly #budget = new Budget(PEOPLE_SHARE);
  readonly #timers: NodeJS.Timeout[] = [];
  #limit = UNLIMITED;
  #checkpointedMs = 0;
  #closing = false;
  #options: LaneOptions | null = null;
  #detector: Detector | null = null;
  #attributeModels: LaneAttributeModels | null = null;
  #binaries: FfmpegBinaries | null = null;
  #cameraProxies: CameraProxies | null = null;

  constructor(channel: HostChannel, log: Logger) {
    this.#channel = channel;
    this.#log = log;
  }

  async handle(message: ToLane): Promise<void> {
    switch (message.type) {
      case 'open':
        return this.#open(message);
      case 'clock':
        return this.#clock.anchor(message.offsetMs);
      case 'addCamera':
        return this.#add(message.camera);
      case 'updateCamera':
        return this.#update(message.camera, message.drain);
      case 'removeCamera':
        return this.#remove(message.deviceId, message.drain);
      case 'picture':
        return this.#picture(message.requestId, message.deviceId, message.frameIndex);
      case 'grab':
        return this.#grab(message);
      case 'measure':
        return this.#measure(message.requestId);
      case 'stop':
        return this.close();
    }
  }

  /** Ends every stream; nothing is left running. No run ends by it: another lane goes on with them. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([...this.#cameras.keys()].map((deviceId) => this.#remove(deviceId, false)));
    await this.#turns.take(async () => this.#detector?.dispose());
    this.#detector = null;
    await this.#turns.take(async () => this.#attributeModels?.close());
    await this.#cameraProxies?.close();
  }

  async #open(options: LaneOptions): Promise<void> {
    this.#options = options;
    this.#clock.anchor(options.clockOffsetMs);
    this.#cameraProxies = new CameraProxies(options.network);
    // Before the model: converting it takes a while, and the supervisor must see that we live.
    this.#timers.push(setInterval(() => this.#alive(), ALIVE_MS));
    try {
      const { ffmpegPath, ffprobePath } = options;
      const onWarning = (sentence: string) => this.#log.warn(sentence);
      this.#binaries = await findFfmpeg({ ffmpegPath, ffprobePath, onWarning });
      this.#detector = await loadDetector({
        ...options,
        onProgress: (sentence: string) => this.#log.info(sentence),
      });
      this.#attributeModels = new LaneAttributeModels(options, this.#log);
      await this.#attributeModels.prepare();
    } catch (error) {
      this.#channel.send({ type: 'unusable', message: (error as Error).message });
      return;
    }
    const { name: model, executionProvider, inputWidth, inputHeight } = this.#detector;
    const msPerFrame = await this.#msPerFrame();
    if (msPerFrame === null) return;
    const size = { inputWidth, inputHeight };
    this.#channel.send({ type: 'ready', model, executionProvider, ...size, msPerFrame });
  }

  #add(wanted: LaneCamera): void {
    const { deviceId } = wanted;
    if (!this.#detector || !this.#options || !this.#binaries)
      throw new Error('A camera came before the model was open.');
    const known = this.#cameras.get(deviceId);
    if (known) {
      known.setScenes(wanted);
      return;
    }
    const { inputWidth, inputHeight } = this.#detector;
    const { watchdogMs } = this.#options;
    const cameraProxy = this.#cameraProxies?.of(wanted.networks);
    let source: FrameSource;
    try {
      source = createSource(wanted.url, {
        fps: wanted.fps,
        inputWidth,
        inputHeight,
        pace: 'realtime',
        clock: () => this.#clock.now(),
        ffmpegPath: this.#binaries.ffmpeg.path,
        ffprobePath: this.#binaries.ffprobe.path,
        watchdogMs,
        cameraProxy,
        onEvent: (event) => this.#streamEvent(deviceId, event),
      });
    } catch (error) {
      // An address of a kind that is not read.
      this.#failed(deviceId, error as Error);
      for (const { runId } of wanted.scenes) {
        this.#channel.send({ type: 'runEnded', runId, endOfStream: false, last: null });
      }
      return;
    }
    const camera = new Camera(wanted, source, {
      detector: this.#detector,
      turns: this.#turns,
      keepsUp: () => this.#channel.keepsUp,
      limitFps: () => this.#limit.fps,
      onObservations: (runs) => this.#tell(runs),
      onRunEnded: (runId, endOfStream, last) => {
        if (this.#closing) return;
        this.#channel.send({ type: 'runEnded', runId, endOfStream, last });
      },
      onFailed: (error) => this.#failed(deviceId, error),
      people: {
        attributeModels: () => this.#attributeModels?.get() ?? null,
        budget: this.#budget,
        onPeople: (runs) => this.#channel.send({ type: 'people', runs }),
      },
      onPeopleError: (error) => this.#log.error({ err: error, deviceId }, 'people could not be looked at'),
      onOpened: ({ width, height, codec, sourceFps }) =>
        this.#channel.send({
          type: 'stream',
          deviceId,
          event: 'opened',
          message: 'The stream answers.',
          faultReason: null,
          isUndecodable: false,
          restartsInARow: 0,
          restartsWithoutFrame: 0,
          info: { width, height, codec, sourceFps },
        }),
      now: () => this.#clock.now(),
    });
    this.#cameras.set(deviceId, camera);
  }

  async #update(wanted: LaneCamera, drain: boolean): Promise<void> {
    const camera = this.#cameras.get(wanted.deviceId);
    const sameStream =
      camera?.wanted.url === wanted.url &&
      camera.wanted.fps === wanted.fps &&
      camera.wanted.networks.join() === wanted.networks.join();
    if (camera && sameStream) return camera.setScenes(wanted, drain);
    // The runs go on over a new stream: what is open now is taken along.
    const { deviceId } = wanted;
    const waiting = this.#reopening.get(deviceId);
    const known = new Map(
      (camera?.leaveRuns() ?? waiting?.scenes)?.map(({ runId, checkpoint }) => [runId, checkpoint]),
    );
    const scenes = wanted.scenes.map((s) => ({ ...s, checkpoint: known.get(s.runId) ?? s.checkpoint }));
    this.#reopening.set(deviceId, { ...wanted, scenes });
    if (waiting) return;
    this.#cameras.delete(deviceId);
    // First the old one: some cameras serve one reader only.
    await camera?.close(false);
    const now = this.#reopening.get(deviceId);
    this.#reopening.delete(deviceId);
    if (now && !this.#closing) this.#add(now);
  }

  async #remove(deviceId: string, drain: boolean): Promise<void> {
    const camera = this.#cameras.get(deviceId);
    this.#cameras.delete(deviceId);
    this.#reopening.delete(deviceId);
    await camera?.close(drain);
  }

  async #picture(requestId: number, deviceId: string, frameIndex: number | null): Promise<void> {
    const jpeg = (await this.#cameras.get(deviceId)?.picture(frameIndex)) ?? null;
    this.#channel.send({ type: 'picture', requestId, jpeg, fault: null });
  }

  async #grab({ requestId, url, networks, timeoutMs }: Extract<ToLane, { type: 'grab' }>): Promise<void> {
    const binaries = this.#binaries;
    const cameraProxy = this.#cameraProxies?.of(networks);
    if (!binaries || !cameraProxy) throw new Error('A picture was asked for before the lane was open.');
    const answer = await grabImage(url, { binaries, timeoutMs, cameraProxy }).then(
      (jpeg) => ({ jpeg, fault: null }),
      (error: Error) => ({ jpeg: null, fault: error.message }),
    );
    this.#channel.send({ type: 'picture', requestId, ...answer });
  }

  #msPerFrame(): Promise<number | null> {
    return measureDetector(() => this.#detector, { turns: this.#turns, cameras: this.#cameras.size });
  }

  async #measure(requestId: number): Promise<void> {
    const msPerFrame = await this.#msPerFrame();
    if (msPerFrame !== null) this.#channel.send({ type: 'measured', requestId, msPerFrame });
  }

  #streamEvent(deviceId: string, event: StreamEvent): void {
    this.#log.info({ deviceId, ...event }, 'stream');
    this.#channel.send({
      type: 'stream',
      deviceId,
      event: event.type,
      message: event.message,
      faultReason: event.faultReason,
      isUndecodable: event.isUndecodable,
      info: null,
      restartsInARow: event.restartsInARow,
      restartsWithoutFrame: event.restartsWithoutFrame,
    });
    if (event.faultReason === 'address_not_allowed' || event.faultReason === 'old_ffmpeg')
      this.#refused(deviceId);
  }

  /** Where a stream may not be opened at all, no other try helps: its runs end. One that ran before is an outage. */
  #refused(deviceId: string): void {
    const camera = this.#cameras.get(deviceId);
    if (!camera || camera.hasOpened) return;
    this.#cameras.delete(deviceId);
    void camera.close(false);
  }

  #failed(deviceId: string, error: Error): void {
    this.#log.error({ deviceId, err: error }, 'camera failed');
    this.#channel.send({
      type: 'stream',
      deviceId,
      event: 'failed',
      message: error.message,
      faultReason: error instanceof StreamError ? error.reason : 'unreadable',
      isUndecodable: error instanceof StreamError && error.isUndecodable,
      info: null,
      restartsInARow: 0,
      restartsWithoutFrame: 0,
    });
  }

  /** At once: one detection after the other leaves nothing to put together, and an alert waits for it. */
  #tell(runs: readonly RunObservation[]): void {
    if (runs.length === 0) return;
    const nowMs = performance.now();
    const all = nowMs - this.#checkpointedMs >= CHECKPOINT_MS;
    if (all) this.#checkpointedMs = nowMs;
    const changed = new Set(runs.filter((r) => r.observation.changes.length > 0).map((r) => r.runId));
    const wanted = (runId: string) => all || changed.has(runId);
    const checkpoints = [...this.#cameras.values()].flatMap((camera) => camera.checkpoints(wanted));
    this.#channel.send({ type: 'observations', runs: [...runs], checkpoints });
  }

  /** Fewer frames of each camera where the lane cannot take all of them. */
  #setLimit({ minAnalysisFps }: LaneOptions): void {
    const before = this.#limit.fps;
    const cameras = [...this.#cameras.values()].map((camera) => camera.count);
    const sample = { atMs: performance.now(), busyMs: this.#turns.busyMs, cameras };
    this.#limit = withLaneSample(this.#limit, sample, minAnalysisFps);
    const { fps } = this.#limit;
    if (fps !== null && before === null)
      this.#log.warn(
        { fps, cameras: cameras.length },
        'the lane is too busy: it takes fewer frames of each camera',
      );
    if (fps === null && before !== null) this.#log.info('the lane takes all frames again');
  }

  #alive(): void {
    if (this.#options) this.#setLimit(this.#options);
    const cameras = [...this.#cameras.values()].map((camera) => camera.stats());
    this.#channel.send({ type: 'alive', rssBytes: process.memoryUsage.rss(), cameras });
  }
}

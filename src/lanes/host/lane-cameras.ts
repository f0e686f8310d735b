import type { Logger } from 'pino';
import type { NodeReason } from '../../platform/processes/node-reason.ts';
import { patientMs } from '../../platform/processes/patience.ts';
import { createSource } from '../../video/create-source.ts';
import type { FrameSource, StreamEvent } from '../../video/frame-source.ts';
import { grabFrame } from '../../video/grab-frame.ts';
import type { Hardware } from '../../video/hardware/hardware.ts';
import type { CameraProxies } from '../../video/proxy/camera-proxies.ts';
import { Budget } from '../../vision/attributes/budget.ts';
import { frameSize } from '../../vision/region.ts';
import type { FrameClock } from '../frame-clock.ts';
import type {
  CameraStats,
  LaneCamera,
  LaneImage,
  LiveRequest,
  RunObservation,
  StreamMessage,
} from '../lane-protocol.ts';
import { SecondStreams, type SecondStreamTiming } from '../second-streams.ts';
import type { Turns } from '../turns.ts';
import { Camera } from './camera.ts';
import type { HostChannel } from './channel.ts';
import type { CameraCount } from './frame-limit.ts';
import type { LaneTools } from './open-lane.ts';
import { OpenSizes } from './open-sizes.ts';
import { reportFailure, reportStream } from './report-stream.ts';

const CHECKPOINT_MS = 2000;
/** The longest time in which a stream that was left has to give a frame. */
const ANSWER_MS = 15_000;
/** The share of a lane's time for attributes: the lane is for frames. */
const PEOPLE_SHARE = 0.04;

export interface LaneCamerasParts {
  readonly tools: LaneTools;
  readonly proxies: CameraProxies;
  readonly channel: HostChannel;
  readonly clock: FrameClock;
  readonly turns: Turns;
  readonly log: Logger;
  readonly watchdogMs: number;
  readonly secondStreams?: SecondStreamTiming | undefined;
  /** What decodes video; null: software. */
  readonly hardware: Hardware | null;
  /** Frames a second that the lane takes of each camera at most; null: all. */
  readonly limitFps: () => number | null;
  /** The lowest rate to which frames are skipped. */
  readonly minFps: number;
}

/** The cameras of a lane. It opens, updates and closes them, and sends what they observe. */
export class LaneCameras {
  readonly #parts: LaneCamerasParts;
  readonly #cameras = new Map<string, Camera>();
  /** The requested state of cameras whose former stream is still closing. */
  readonly #reopening = new Map<string, LaneCamera>();
  readonly #sizes: OpenSizes;
  readonly #budget = new Budget(PEOPLE_SHARE);
  #checkpointedMs = 0;
  #hardwareFault: NodeReason | null = null;
  readonly #second: SecondStreams;
  #isClosing = false;

  constructor(parts: LaneCamerasParts) {
    this.#parts = parts;
    this.#sizes = new OpenSizes(parts.tools.detector, parts.log);
    this.#second = new SecondStreams(
      {
        log: parts.log,
        now: () => parts.clock.now(),
        requested: (deviceId) => this.#cameras.get(deviceId)?.requested,
        reopen: (wanted) => void this.update(wanted, false),
        answers: (camera) => this.#answers(camera),
      },
      parts.secondStreams,
    );
  }

  get size(): number {
    return this.#cameras.size;
  }

  counts(): CameraCount[] {
    return [...this.#cameras.values()].map((camera) => camera.count);
  }

  stats(): CameraStats[] {
    return [...this.#cameras.values()].map((camera) => {
      const stats = camera.stats();
      return { ...stats, warnings: [...stats.warnings, ...this.#second.warnings(stats.deviceId)] };
    });
  }

  /** Why software decodes a camera although hardware should; null while none. The newest one. */
  get hardwareFault(): NodeReason | null {
    return this.#hardwareFault;
  }

  /** Without a JPEG when the frame is not kept. */
  async image(deviceId: string, frameIndex: number | null): Promise<LaneImage> {
    const image = await this.#cameras.get(deviceId)?.image(frameIndex);
    return { jpeg: null, capturedAtMs: null, privacyRevision: null, ...image, fault: null };
  }

  /** A camera that is opened again forgets that it is watched until the node asks again. */
  watch({ deviceId, ...request }: { deviceId: string } & LiveRequest): void {
    this.#cameras.get(deviceId)?.watch(request);
  }

  add(wanted: LaneCamera): void {
    this.#add(this.#second.usable(wanted));
  }

  #add(requested: LaneCamera): void {
    const { deviceId } = requested;
    const open = this.#cameras.get(deviceId);
    if (open) {
      open.setScenes(requested);
      return;
    }
    const source = this.#openSource(requested);
    if (source) this.#cameras.set(deviceId, this.#createCamera(requested, source));
  }

  async update(wanted: LaneCamera, drain: boolean): Promise<void> {
    const requested = this.#second.usable(wanted);
    const { deviceId } = requested;
    const camera = this.#cameras.get(deviceId);
    if (camera && isSameStream(camera.requested, requested)) return camera.setScenes(requested, drain);
    // The runs continue over a new stream from their newest checkpoints.
    const waiting = this.#reopening.get(deviceId);
    const checkpoints = new Map(
      (camera?.leaveRuns() ?? waiting?.scenes)?.map(({ runId, checkpoint }) => [runId, checkpoint]),
    );
    const scenes = requested.scenes.map((scene) => ({
      ...scene,
      checkpoint: checkpoints.get(scene.runId) ?? scene.checkpoint,
    }));
    this.#reopening.set(deviceId, { ...requested, scenes });
    if (waiting) return;
    this.#cameras.delete(deviceId);
    // The old stream first: some cameras serve only one reader.
    await camera?.close(false);
    const newest = this.#reopening.get(deviceId);
    this.#reopening.delete(deviceId);
    if (newest && !this.#isClosing) this.#add(newest);
  }

  async remove(deviceId: string, drain: boolean): Promise<void> {
    const camera = this.#cameras.get(deviceId);
    this.#cameras.delete(deviceId);
    this.#reopening.delete(deviceId);
    this.#second.forget(deviceId);
    await camera?.close(drain);
  }

  /** Closes all cameras and reports no end of their runs. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#second.close();
    await Promise.all([...this.#cameras.keys()].map((deviceId) => this.remove(deviceId, false)));
  }

  async #answers({ url, networks }: LaneCamera): Promise<boolean> {
    const { tools, proxies } = this.#parts;
    const cameraProxy = proxies.of(networks);
    await grabFrame(url, { binaries: tools.binaries, timeoutMs: patientMs(ANSWER_MS), cameraProxy });
    return true;
  }

  /** @returns null when the address cannot be read at all; then the runs have ended */
  #openSource({
    deviceId,
    url,
    fps,
    networks,
    scenes,
    main,
    accuracy = 'standard',
    rotation,
  }: LaneCamera): FrameSource | null {
    const { tools, proxies, channel, clock, watchdogMs, hardware, log } = this.#parts;
    const { width: inputWidth, height: inputHeight } = frameSize(tools.detector, accuracy);
    try {
      return createSource(url, {
        fps,
        inputWidth,
        inputHeight,
        pace: 'realtime',
        clock: () => clock.now(),
        binaries: tools.binaries,
        watchdogMs,
        cameraProxy: proxies.of(networks),
        rotation,
        hardware: hardware ?? undefined,
        onHardwareFault: (reason) => {
          this.#hardwareFault = reason;
          log.warn({ deviceId }, reason.sentence);
        },
        onEvent: (event) => this.#onStreamEvent(deviceId, event, Boolean(main)),
      });
    } catch (error) {
      this.#onFailed(deviceId, error as Error);
      for (const { runId } of scenes)
        channel.send({ type: 'runEnded', runId, endOfStream: false, last: null });
      return null;
    }
  }

  #createCamera(requested: LaneCamera, source: FrameSource): Camera {
    const { tools, channel, clock, turns, log, limitFps, minFps } = this.#parts;
    const { deviceId } = requested;
    const camera = new Camera(requested, source, {
      detector: tools.detector,
      brightness: tools.brightness?.of(frameSize(tools.detector, requested.accuracy ?? 'standard')),
      holdsPeople: tools.holdsPeople,
      turns,
      isOpen: (size) => this.#sizes.has(size),
      keepsUp: () => channel.keepsUp,
      limitFps,
      minFps,
      now: () => clock.now(),
      onObservations: (runs) => this.#onObservations(runs),
      onRunEnded: (runId, endOfStream, last) => {
        if (!this.#isClosing) channel.send({ type: 'runEnded', runId, endOfStream, last });
      },
      onFailed: (error) => this.#onFailed(deviceId, error),
      onOpened: (info) => {
        const { width, height, codec, sourceFps } = info;
        // The device tells size and rate of its main stream.
        const facts = requested.main ? null : { width, height, codec, sourceFps };
        this.#report(deviceId, { event: 'opened', message: 'The stream answers.', info: facts });
        this.#second.opened(deviceId, info);
      },
      onLivePicture: (picture) => channel.send({ type: 'livePicture', deviceId, ...picture }),
      people: {
        attributeModels: () => tools.attributeModels.get(),
        budget: this.#budget,
        onPeople: (runs) => channel.send({ type: 'people', runs }),
        onError: (error) =>
          log.error({ err: error, deviceId }, 'attributes of people could not be classified'),
      },
    });
    // A run that comes later needs a stream that is open.
    void camera.ended.then(() => {
      if (this.#cameras.get(deviceId) === camera) this.#cameras.delete(deviceId);
    });
    return camera;
  }

  /** Sends observations at once, because alerts wait for them. */
  #onObservations(runs: readonly RunObservation[]): void {
    if (runs.length === 0) return;
    const nowMs = performance.now();
    const isAll = nowMs - this.#checkpointedMs >= CHECKPOINT_MS;
    if (isAll) this.#checkpointedMs = nowMs;
    const changed = new Set(runs.filter((r) => r.observation.changes.length > 0).map((r) => r.runId));
    const isDue = (runId: string) => isAll || changed.has(runId);
    const checkpoints = [...this.#cameras.values()].flatMap((camera) => camera.checkpoints(isDue));
    this.#parts.channel.send({ type: 'observations', runs, checkpoints });
  }

  /** @param isSecond whether it happened to the second stream, also after the main one has taken its place */
  #onStreamEvent(deviceId: string, event: StreamEvent, isSecond: boolean): void {
    this.#parts.log.info({ deviceId, ...event }, 'stream');
    const { type, delayMs: _, ...report } = event;
    // A second stream that fails is no outage of the camera: its main stream follows.
    const counts = isSecond && { restartsInARow: 0, restartsWithoutFrame: 0, isUndecodable: false };
    this.#report(deviceId, { event: type, ...report, ...counts });
    this.#second.event(deviceId, event);
    const { faultReason } = event;
    if (faultReason === 'address_not_allowed' || faultReason === 'old_ffmpeg') this.#onRefused(deviceId);
  }

  /** Ends the runs of a camera that may not be opened: a retry does not help. A stream that was open before is an outage. */
  #onRefused(deviceId: string): void {
    const camera = this.#cameras.get(deviceId);
    if (camera && !camera.hasOpened) void this.remove(deviceId, false);
  }

  #onFailed(deviceId: string, error: Error): void {
    this.#parts.log.error({ deviceId, err: error }, 'camera failed');
    reportFailure(this.#parts.channel, deviceId, error);
  }

  #report(deviceId: string, report: Pick<StreamMessage, 'event' | 'message'> & Partial<StreamMessage>): void {
    reportStream(this.#parts.channel, deviceId, report);
  }
}

const isSameStream = (a: LaneCamera, b: LaneCamera): boolean =>
  a.url === b.url &&
  a.fps === b.fps &&
  a.accuracy === b.accuracy &&
  (a.rotation ?? 0) === (b.rotation ?? 0) &&
  a.networks.join() === b.networks.join();

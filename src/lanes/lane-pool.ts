import type { Logger } from '../platform/logger.ts';
import { LaneProcess } from './lane-process.ts';
import type {
  CameraStats,
  FromLane,
  LaneCamera,
  LaneOptions,
  RunObservation,
  RunPeople,
  ToLane,
} from './lane-protocol.ts';

/** What the lanes ask and report; a supervisor implements it. */
export interface PoolListener {
  /** A camera in its requested state, with the newest checkpoints of its runs; null when it is not to be streamed. */
  requestedCamera(deviceId: string): LaneCamera | null;
  onObservations(runs: readonly RunObservation[]): void;
  onPeople(runs: readonly RunPeople[]): void;
  onCheckpoint(runId: string, checkpoint: string): void;
  onStats(stats: CameraStats): void;
  onStream(message: Extract<FromLane, { type: 'stream' }>): void;
  onRunEnded(message: Extract<FromLane, { type: 'runEnded' }>): void;
  /** A lane with these cameras ended too often. It starts again without them. */
  onCrashLimit(deviceIds: readonly string[], how: string): void;
}

/** Until a supervisor connects, no lane has a camera, so that the lanes report nothing. */
const NO_SUPERVISOR: PoolListener = {
  requestedCamera: () => null,
  onObservations: () => undefined,
  onPeople: () => undefined,
  onCheckpoint: () => undefined,
  onStats: () => undefined,
  onStream: () => undefined,
  onRunEnded: () => undefined,
  onCrashLimit: () => undefined,
};

export interface PoolOptions {
  readonly lanes: number;
  readonly lane: LaneOptions;
  /** A lane of which nothing was heard for so long is stuck. */
  readonly silenceMs: number;
  readonly log: Logger;
  /** A lane process has started or ended. */
  readonly onChild: (pid: number, isRunning: boolean) => void;
}

/** A JPEG, or why there is none. */
export type LanePicture = Pick<Extract<FromLane, { type: 'picture' }>, 'jpeg' | 'fault'>;

export type LaneReady = Omit<Extract<FromLane, { type: 'ready' }>, 'type'>;

const CRASHES = 3;
const CRASH_WINDOW_MS = 5 * 60_000;
const RESTART_PAUSE_MS = 500;
/** A model may have to be prepared first, and nothing is heard meanwhile. */
const OPENING_SILENCE_MS = 300_000;
const STOP_MS = 6_000;
const PICTURE_MS = 4_500;
/** Beside many cameras each detection waits for its turn. */
const MEASURE_MS = 30_000;
const NO_PICTURE: LanePicture = { jpeg: null, fault: null };

interface Slot {
  process: LaneProcess | null;
  isReady: boolean;
  readonly deviceIds: Set<string>;
  crashesMs: number[];
  restart?: NodeJS.Timeout;
}

/** The lanes of a node: cameras are spread over them, and a lane that ends is replaced and gets its cameras back. */
export class LanePool {
  readonly #options: PoolOptions;
  readonly #slots: Slot[];
  #listener = NO_SUPERVISOR;
  readonly #pictures = new Map<number, (answer: LanePicture) => void>();
  readonly #measurements = new Map<number, (msPerFrame: number | null) => void>();
  #clockOffsetMs: number;
  #nextRequestId = 1;
  #stopping = false;
  /** When it was last asked whether lanes are stuck. */
  #checkedMs = performance.now();

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#clockOffsetMs = options.lane.clockOffsetMs;
    this.#slots = Array.from({ length: options.lanes }, () => ({
      process: null,
      isReady: false,
      deviceIds: new Set<string>(),
      crashesMs: [],
    }));
  }

  /**
   * Starts the lanes: the first one prepares the model for all.
   * @throws Error saying why the model cannot be used
   */
  async start(): Promise<LaneReady> {
    const [first, ...others] = this.#slots;
    const ready = await new Promise<LaneReady>((resolve, reject) => this.#open(first!, { resolve, reject }));
    for (const slot of others) this.#open(slot);
    return ready;
  }

  /** From now on this supervisor decides about cameras and gets the reports of the lanes. */
  connect(listener: PoolListener): void {
    this.#listener = listener;
  }

  /** Starts, updates or stops a camera so that it matches the requested state. `drain` finishes frames already read. */
  put(deviceId: string, drain = false): void {
    const camera = this.#listener.requestedCamera(deviceId);
    const slot = this.#slots.find(({ deviceIds }) => deviceIds.has(deviceId));
    if (!camera) {
      slot?.deviceIds.delete(deviceId);
      if (slot?.isReady) slot.process?.send({ type: 'removeCamera', deviceId, drain });
      return;
    }
    if (slot) {
      if (slot.isReady) slot.process?.send({ type: 'updateCamera', camera, drain });
      return;
    }
    const freest = this.#slots.reduce((a, b) => (b.deviceIds.size < a.deviceIds.size ? b : a));
    freest.deviceIds.add(deviceId);
    if (freest.isReady) freest.process?.send({ type: 'addCamera', camera });
  }

  /** The database's clock was measured again. */
  anchor(offsetMs: number): void {
    this.#clockOffsetMs = offsetMs;
    this.#broadcast({ type: 'clock', offsetMs });
  }

  /** @returns a JPEG of a kept frame, the newest by default; null when there is none in time */
  picture(deviceId: string, frameIndex: number | null = null, timeoutMs = PICTURE_MS): Promise<LanePicture> {
    const slot = this.#slots.find(({ deviceIds }) => deviceIds.has(deviceId));
    return this.#ask(slot, timeoutMs, (requestId) => ({ type: 'picture', requestId, deviceId, frameIndex }));
  }

  /** @returns a JPEG of a stream that no camera here reads; null and why when there is none within a few seconds */
  grab(url: string, networks: readonly string[]): Promise<LanePicture> {
    const slot = this.#slots.find(({ isReady }) => isReady);
    return this.#ask(slot, PICTURE_MS, (requestId) => ({
      type: 'grab',
      requestId,
      url,
      networks,
      timeoutMs: PICTURE_MS,
    }));
  }

  #ask(
    slot: Slot | undefined,
    timeoutMs: number,
    question: (requestId: number) => ToLane,
  ): Promise<LanePicture> {
    if (!slot?.isReady) return Promise.resolve(NO_PICTURE);
    const requestId = this.#nextRequestId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answerPicture(requestId, NO_PICTURE), timeoutMs);
      this.#pictures.set(requestId, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      slot.process?.send(question(requestId));
    });
  }

  /**
   * Measures all lanes at once, because they slow each other.
   * @returns frames a second of all lanes together; null when a lane is not ready or does not answer
   */
  async measure(): Promise<number | null> {
    if (this.#slots.some(({ isReady }) => !isReady)) return null;
    const times = await Promise.all(this.#slots.map((slot) => this.#measure(slot)));
    return times.reduce<number | null>(
      (sum, ms) => (sum === null || ms === null ? null : sum + 1000 / ms),
      0,
    );
  }

  #measure({ process }: Slot): Promise<number | null> {
    const requestId = this.#nextRequestId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answerMeasurement(requestId, null), MEASURE_MS);
      this.#measurements.set(requestId, (msPerFrame) => {
        clearTimeout(timer);
        resolve(msPerFrame);
      });
      process?.send({ type: 'measure', requestId });
    });
  }

  /**
   * Ends lanes of which nothing was heard for too long; they are replaced. Call it every second or so. A worker that was
   * frozen itself has heard nobody: then every lane has the whole time again.
   */
  endStuck(nowMs = performance.now()): void {
    const wasFrozen = nowMs - this.#checkedMs > this.#options.silenceMs / 2;
    this.#checkedMs = nowMs;
    if (wasFrozen) {
      for (const { process } of this.#slots) process?.allowSilence(nowMs);
      return;
    }
    for (const { process, isReady } of this.#slots) {
      const silentMs = process?.silentMs(nowMs) ?? 0;
      const allowedMs = isReady ? this.#options.silenceMs : OPENING_SILENCE_MS;
      if (!process?.running || silentMs < allowedMs) continue;
      this.#options.log.error({ pid: process.pid, silentMs }, 'a lane is stuck: ending it');
      process.kill();
    }
  }

  /** Cameras that its lanes stream. */
  get cameras(): number {
    return this.#slots.reduce((sum, { deviceIds }) => sum + deviceIds.size, 0);
  }

  /** Process ids of the lanes that run. */
  get pids(): number[] {
    return this.#slots.flatMap(({ process }) => (process?.running ? [process.pid] : []));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const requestId of this.#measurements.keys()) this.#answerMeasurement(requestId, null);
    for (const { restart } of this.#slots) clearTimeout(restart);
    const running = this.#slots.flatMap(({ process }) => (process?.running ? [process] : []));
    await Promise.all(running.map((process) => process.stop(STOP_MS)));
  }

  #open(slot: Slot, first?: { resolve: (ready: LaneReady) => void; reject: (error: Error) => void }): void {
    let unusable: string | null = null;
    slot.isReady = false;
    const process = new LaneProcess(
      {
        onMessage: (message) => {
          if (message.type === 'unusable') {
            unusable = message.message;
            void process.stop(STOP_MS);
          }
          if (message.type === 'ready') {
            const { type: _, ...ready } = message;
            first?.resolve(ready);
            slot.isReady = true;
            for (const deviceId of slot.deviceIds) this.#restore(slot, deviceId);
          } else this.#pass(message);
        },
        onEnd: (how) => {
          this.#options.onChild(process.pid, false);
          if (!slot.isReady && first) first.reject(new Error(unusable ?? `The lane ended (${how}).`));
          else if (!this.#stopping) this.#replace(slot, unusable ?? how);
          slot.isReady = false;
        },
      },
      this.#options.log.level,
    );
    slot.process = process;
    if (process.pid) this.#options.onChild(process.pid, true);
    process.send({ type: 'open', ...this.#options.lane, clockOffsetMs: this.#clockOffsetMs });
  }

  #replace(slot: Slot, how: string): void {
    const nowMs = performance.now();
    slot.crashesMs = [...slot.crashesMs.filter((atMs) => atMs > nowMs - CRASH_WINDOW_MS), nowMs];
    const deviceIds = [...slot.deviceIds];
    this.#options.log.error({ how, deviceIds, crashes: slot.crashesMs.length }, 'a lane ended: replacing it');
    if (slot.crashesMs.length >= CRASHES && deviceIds.length > 0) {
      slot.deviceIds.clear();
      slot.crashesMs = [];
      this.#listener.onCrashLimit(deviceIds, how);
    }
    slot.restart = setTimeout(() => this.#open(slot), RESTART_PAUSE_MS * slot.crashesMs.length);
  }

  #restore(slot: Slot, deviceId: string): void {
    const camera = this.#listener.requestedCamera(deviceId);
    if (camera) slot.process?.send({ type: 'addCamera', camera });
    else slot.deviceIds.delete(deviceId);
  }

  #pass(message: FromLane): void {
    const listener = this.#listener;
    switch (message.type) {
      case 'observations':
        listener.onObservations(message.runs);
        for (const { runId, checkpoint } of message.checkpoints) listener.onCheckpoint(runId, checkpoint);
        break;
      case 'people':
        listener.onPeople(message.runs);
        break;
      case 'alive':
        for (const stats of message.cameras) listener.onStats(stats);
        break;
      case 'stream':
        listener.onStream(message);
        break;
      case 'runEnded':
        listener.onRunEnded(message);
        break;
      case 'measured':
        this.#answerMeasurement(message.requestId, message.msPerFrame);
        break;
      case 'picture':
        this.#answerPicture(message.requestId, { jpeg: message.jpeg, fault: message.fault });
        break;
    }
  }

  #answerPicture(requestId: number, answer: LanePicture): void {
    this.#pictures.get(requestId)?.(answer);
    this.#pictures.delete(requestId);
  }

  #answerMeasurement(requestId: number, msPerFrame: number | null): void {
    this.#measurements.get(requestId)?.(msPerFrame);
    this.#measurements.delete(requestId);
  }

  #broadcast(message: ToLane): void {
    for (const { process, isReady } of this.#slots) if (isReady) process?.send(message);
  }
}

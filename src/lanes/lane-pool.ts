import type { Logger } from '../platform/logger.ts';
import type { NodeReason } from '../platform/processes/node-reason.ts';
import type { Rotation } from '../video/picture/turn.ts';
import type { ExecutionProvider } from '../vision/detect/detector.ts';
import type { Privacy } from '../vision/privacy.ts';
import { LaneProcess } from './lane-process.ts';
import type {
  CameraStats,
  FromLane,
  LaneImage,
  LaneOptions,
  LaneQuestion,
  LaneReady,
  LivePictureMessage,
  LiveRequest,
  RecordedMessage,
  RunEndedMessage,
  RunObservation,
  RunPeople,
  StreamMessage,
} from './lane-protocol.ts';
import { LaneRequests } from './lane-requests.ts';
import { LaneSlot, type LaneSlotParts, type SlotListener, type StartProcess } from './lane-slot.ts';

/** What the pool reports to its node, and asks it; a supervisor implements it. */
export interface PoolListener extends SlotListener {
  onObservations(runs: readonly RunObservation[]): void;
  onRecorded(message: RecordedMessage): void;
  onPeople(runs: readonly RunPeople[]): void;
  onCheckpoint(runId: string, checkpoint: string): void;
  onStats(stats: CameraStats): void;
  onStream(message: StreamMessage): void;
  onRunEnded(message: RunEndedMessage): void;
  onLivePicture(message: LivePictureMessage): void;
}

/** What runs the detector, and why it is not what was chosen; null when it is. */
export interface LaneProvider {
  readonly executionProvider: ExecutionProvider;
  readonly reason: NodeReason | null;
}

export interface PoolOptions {
  readonly lanes: number;
  /** As many are there once the CPU has taken over from the GPU; by default `lanes`. */
  readonly cpuLanes?: number;
  readonly lane: LaneOptions;
  /** A lane without a message for this time is stuck. */
  readonly silenceMs: number;
  readonly log: Logger;
  /** A lane process has started or ended. */
  readonly onChild: (pid: number, isRunning: boolean) => void;
  /** Tests pass lanes without a process. */
  readonly startProcess?: StartProcess;
}

type ImageQuestion = Exclude<LaneQuestion, { type: 'measure' }>;

const IMAGE_MS = 4_500;
/** Beside many cameras each detection waits for its turn. */
const MEASURE_MS = 30_000;
export const NO_IMAGE: LaneImage = { jpeg: null, capturedAtMs: null, privacyRevision: null, fault: null };

/** The lanes of a node. Cameras are spread over them; a lane that ends is replaced and gets its cameras again. */
export class LanePool {
  readonly #silenceMs: number;
  /** Undefined until `connect`: then no lane has a camera, and lanes report nothing. */
  #listener: PoolListener | undefined;
  readonly #slots: [first: LaneSlot, ...others: LaneSlot[]];
  readonly #newSlot: () => LaneSlot;
  readonly #cpuLanes: number;
  readonly #requests = new LaneRequests();
  #clockOffsetMs: number;
  readonly #log: Logger;
  #provider: LaneProvider;
  /** Why the lanes no longer use the GPU; null while they do. */
  #gpuFault: NodeReason | null = null;
  #hardwareFault: NodeReason | null = null;
  #isStopping = false;
  /** Monotonic ms of the last call of `endStuck`. */
  #checkedMs = performance.now();

  constructor(options: PoolOptions) {
    const { lanes, lane, silenceMs, log, onChild } = options;
    this.#cpuLanes = options.cpuLanes ?? lanes;
    this.#silenceMs = silenceMs;
    this.#clockOffsetMs = lane.clockOffsetMs;
    this.#log = log;
    this.#provider = { executionProvider: lane.executionProvider, reason: null };
    const parts: LaneSlotParts = {
      startProcess: options.startProcess ?? ((...given) => new LaneProcess(...given)),
      ...{ silenceMs, log, onChild, listener: () => this.#listener },
      options: () => this.#optionsOf(lane),
      onReady: ({ executionProvider, fallback }: LaneReady) => {
        const { executionProvider: provider } = lane;
        const replaced: NodeReason | null =
          fallback === null
            ? null
            : { sentence: fallback, cause: { code: 'gpu_unusable', provider, detail: fallback } };
        this.#provider = { executionProvider, reason: this.#gpuFault ?? replaced };
      },
      onGpuFault: (how: string) => {
        this.#leaveGpu(how);
        for (const slot of this.#addCpuLanes()) slot.open();
      },
      onGpuLeft: (deviceIds) => {
        for (const deviceId of deviceIds) this.put(deviceId);
      },
      onMessage: (message: FromLane) => this.#receive(message),
    };
    this.#newSlot = () => new LaneSlot(parts);
    this.#slots = [this.#newSlot(), ...Array.from({ length: lanes - 1 }, this.#newSlot)];
  }

  /** The number of lanes. It grows when the CPU takes over from the GPU. */
  get lanes(): number {
    return this.#slots.length;
  }

  /** What runs the detector in the lane that was opened last. */
  get provider(): LaneProvider {
    return this.#provider;
  }

  /** Why software decodes a camera although hardware should; null while none. The newest one. */
  get hardwareFault(): NodeReason | null {
    return this.#hardwareFault;
  }

  /** From now on the lanes get their cameras from this listener and report to it. */
  connect(listener: PoolListener): void {
    this.#listener = listener;
  }

  /**
   * Starts the lanes, the first one alone: where it cannot use the model, none can.
   * @throws Error saying why the model cannot be used
   */
  async start(): Promise<LaneReady> {
    const [first] = this.#slots;
    const ready = await first.start().catch((error: Error) => {
      if (this.#isStopping || this.#provider.executionProvider === 'cpu') throw error;
      this.#leaveGpu(error.message);
      return first.start();
    });
    if (ready.executionProvider === 'cpu') this.#addCpuLanes();
    for (const slot of this.#slots.slice(1)) slot.open();
    return ready;
  }

  /** Starts, updates or stops a camera so that it matches the requested state. `drain` finishes frames already read. */
  put(deviceId: string, drain = false): void {
    const camera = this.#listener?.requestedCamera(deviceId);
    const slot = this.#slotOf(deviceId);
    if (!camera) {
      slot?.deviceIds.delete(deviceId);
      slot?.send({ type: 'removeCamera', deviceId, drain });
    } else if (slot) slot.send({ type: 'updateCamera', camera, drain });
    else {
      const emptiest = this.#slots.reduce((a, b) => (b.deviceIds.size < a.deviceIds.size ? b : a));
      emptiest.deviceIds.add(deviceId);
      emptiest.send({ type: 'addCamera', camera });
    }
  }

  /** Sets the clock of all lanes. @param offsetMs what to add to this machine's clock to get the database's */
  anchor(offsetMs: number): void {
    this.#clockOffsetMs = offsetMs;
    for (const slot of this.#slots) slot.send({ type: 'clock', offsetMs });
  }

  /** @returns a JPEG of a frame that the lane still has, the newest by default */
  image(deviceId: string, frameIndex: number | null = null, timeoutMs = IMAGE_MS): Promise<LaneImage> {
    return this.#askImage(this.#slotOf(deviceId), { type: 'image', deviceId, frameIndex }, timeoutMs);
  }

  /** Asks for live pictures of a camera, for a limited time. A lane that is replaced forgets it. */
  watch(deviceId: string, request: LiveRequest): void {
    this.#slotOf(deviceId)?.send({ type: 'watch', deviceId, ...request });
  }

  /** The node has stored the batches of a recording up to this one. */
  stored(deviceId: string, batch: number): void {
    this.#slotOf(deviceId)?.send({ type: 'stored', deviceId, batch });
  }

  /** @returns a JPEG of a camera stream that no camera here reads */
  grab(
    url: string,
    networks: readonly string[],
    { privacy, rotation }: { privacy: Privacy; rotation: Rotation },
  ): Promise<LaneImage> {
    const slot = this.#slots.find(({ isReady }) => isReady);
    return this.#askImage(
      slot,
      { type: 'grab', url, networks, privacy, rotation, timeoutMs: IMAGE_MS },
      IMAGE_MS,
    );
  }

  async #askImage(
    slot: LaneSlot | undefined,
    question: ImageQuestion,
    timeoutMs: number,
  ): Promise<LaneImage> {
    if (!slot?.isReady) return NO_IMAGE;
    return (await this.#requests.ask(slot, question, timeoutMs)) ?? NO_IMAGE;
  }

  /**
   * Measures all lanes at once, because they slow each other down.
   * @returns frames a second of all lanes together; null when a lane is not ready or does not answer
   */
  async measure(): Promise<number | null> {
    if (this.#slots.some(({ isReady }) => !isReady)) return null;
    const answers = await Promise.all(
      this.#slots.map((slot) => this.#requests.ask(slot, { type: 'measure' }, MEASURE_MS)),
    );
    return answers.reduce<number | null>(
      (sum, answer) => (sum === null || answer === null ? null : sum + 1000 / answer.msPerFrame),
      0,
    );
  }

  /**
   * Ends lanes that are stuck; they are replaced. Call it about every second. A worker that was frozen itself has heard no
   * lane: then every lane gets the whole allowed time again.
   */
  endStuck(nowMs = performance.now()): void {
    const wasFrozen = nowMs - this.#checkedMs > this.#silenceMs / 2;
    this.#checkedMs = nowMs;
    for (const slot of this.#slots) {
      if (wasFrozen) slot.allowSilence(nowMs);
      else slot.endIfStuck(nowMs);
    }
  }

  /** The number of cameras. */
  get cameras(): number {
    return this.#slots.reduce((sum, { deviceIds }) => sum + deviceIds.size, 0);
  }

  /** Why the lanes are not ready, in a few words; null when all take cameras. */
  get notReady(): string | null {
    const ready = this.#slots.filter(({ isReady }) => isReady).length;
    return ready === this.#slots.length ? null : `${ready} of ${this.#slots.length} ready`;
  }

  /** Process ids of the lanes that run. */
  get pids(): number[] {
    return this.#slots.flatMap(({ pid }) => pid ?? []);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#slots.map((slot) => slot.stop()));
    this.#requests.giveUp();
  }

  #slotOf(deviceId: string): LaneSlot | undefined {
    return this.#slots.find(({ deviceIds }) => deviceIds.has(deviceId));
  }

  #optionsOf(lane: LaneOptions): LaneOptions {
    const options = { ...lane, clockOffsetMs: this.#clockOffsetMs };
    // The model stays: a run never changes it.
    return this.#gpuFault === null
      ? options
      : { ...options, executionProvider: 'cpu', attributeProvider: 'cpu' };
  }

  /** Lanes that are opened from now on use the CPU, until the worker is started again. */
  #leaveGpu(how: string): void {
    this.#gpuFault ??= {
      sentence: `The GPU failed again and again (${how}): this node uses the CPU until its worker is started again.`,
      cause: { code: 'gpu_failed', detail: how },
    };
    this.#log.error(this.#gpuFault.sentence);
  }

  /** As many lanes as a node without a GPU has. @returns the added ones, which are not open */
  #addCpuLanes(): LaneSlot[] {
    const added = Array.from({ length: Math.max(0, this.#cpuLanes - this.#slots.length) }, this.#newSlot);
    this.#slots.push(...added);
    return added;
  }

  #receive(message: FromLane): void {
    const listener = this.#listener;
    switch (message.type) {
      case 'observations':
        listener?.onObservations(message.runs);
        for (const { runId, checkpoint } of message.checkpoints) listener?.onCheckpoint(runId, checkpoint);
        break;
      case 'recorded':
        listener?.onRecorded(message);
        break;
      case 'people':
        listener?.onPeople(message.runs);
        break;
      case 'alive':
        this.#hardwareFault = message.hardwareFault ?? this.#hardwareFault;
        for (const stats of message.cameras) listener?.onStats(stats);
        break;
      case 'stream':
        listener?.onStream(message);
        break;
      case 'runEnded':
        listener?.onRunEnded(message);
        break;
      case 'livePicture':
        listener?.onLivePicture(message);
        break;
      case 'measured':
      case 'image':
        this.#requests.answer(message);
        break;
    }
  }
}

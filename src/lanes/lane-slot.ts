import type { Logger } from '../platform/logger.ts';
import type { LaneListener, LaneProcess } from './lane-process.ts';
import type { FromLane, LaneCamera, LaneOptions, LaneReady, ToLane } from './lane-protocol.ts';

/** Starts the process of a lane. */
export type StartProcess = (listener: LaneListener, logLevel: string) => Pick<LaneProcess, keyof LaneProcess>;

export interface LaneSlotParts {
  readonly startProcess: StartProcess;
  readonly options: () => LaneOptions;
  /** A lane without a message for this time is stuck. */
  readonly silenceMs: number;
  readonly log: Logger;
  readonly listener: () => SlotListener | undefined;
  readonly onMessage: (message: FromLane) => void;
  readonly onChild: (pid: number, isRunning: boolean) => void;
  readonly onReady: (ready: LaneReady) => void;
  /** This lane ended twice on a GPU in a short time. From now on the options name the CPU. */
  readonly onGpuFault: (how: string) => void;
  /** A lane on a GPU has ended, and the next one uses the CPU: these are its cameras, which it no longer has. */
  readonly onGpuLeft: (deviceIds: readonly string[]) => void;
}

export interface SlotListener {
  /** The camera as it is requested now, with its newest checkpoints; null when it is not requested. */
  requestedCamera(deviceId: string): LaneCamera | null;
  /** The lane of these cameras ended too often. It starts again without them. */
  onCrashLimit(deviceIds: readonly string[], how: string): void;
}

const CRASH_LIMIT = 3;
/** Below CRASH_LIMIT, so that no camera is blamed for a graphics driver. */
const GPU_CRASH_LIMIT = 2;
const CRASH_WINDOW_MS = 5 * 60_000;
const RESTART_PAUSE_MS = 500;
/** A graphics driver may take minutes to open a model, and the lane sends nothing meanwhile. */
const OPENING_SILENCE_MS = 300_000;
const STOP_MS = 6_000;

/** One lane of a pool: its process, which is replaced whenever it ends, and the cameras that it streams. */
export class LaneSlot {
  readonly deviceIds = new Set<string>();
  readonly #parts: LaneSlotParts;
  #process: ReturnType<StartProcess> | undefined;
  #isReady = false;
  #isStopping = false;
  #crashesMs: number[] = [];
  #restart: NodeJS.Timeout | undefined;

  constructor(parts: LaneSlotParts) {
    this.#parts = parts;
  }

  /** The model is loaded: the lane takes cameras. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Null while no process runs. */
  get pid(): number | null {
    return this.#process?.running ? this.#process.pid : null;
  }

  /** Starts the process. @throws Error saying why the model cannot be used; then the process is not replaced */
  start(): Promise<LaneReady> {
    return new Promise((resolve, reject) => this.open(resolve, reject));
  }

  /** Starts the process, and replaces it whenever it ends. */
  open(onReady?: (ready: LaneReady) => void, onFailed?: (error: Error) => void): void {
    const { log, onChild, options, startProcess } = this.#parts;
    let unusable: string | undefined;
    let lostGpu: string | undefined;
    this.#isReady = false;
    const given = options();
    const isOnGpu = usesGpu(given);
    const lane = startProcess(
      {
        onMessage: (message) => {
          if (message.type === 'ready') {
            this.#parts.onReady(message);
            onReady?.(message);
            this.#isReady = true;
            this.#restoreCameras();
          } else if (message.type === 'unusable') {
            unusable = message.message;
            void lane.stop(STOP_MS);
          } else if (message.type === 'lost') {
            lostGpu = message.message;
            lane.kill();
          } else this.#parts.onMessage(message);
        },
        onEnd: (how) => {
          onChild(lane.pid, false);
          const why = unusable ?? (lostGpu === undefined ? how : `its GPU failed: ${lostGpu}`);
          if (!this.#isReady && onFailed) onFailed(new Error(unusable ?? `The lane ended (${why}).`));
          else if (!this.#isStopping) this.#replace(why, isOnGpu);
          this.#isReady = false;
        },
      },
      log.level,
    );
    this.#process = lane;
    if (lane.pid) onChild(lane.pid, true);
    lane.send({ type: 'open', ...given });
  }

  /** A lane that is not ready gets no message: it gets its cameras once it is. */
  send(message: ToLane): void {
    if (this.#isReady) this.#process?.send(message);
  }

  /** The allowed time without a message starts again. */
  allowSilence(nowMs: number): void {
    this.#process?.allowSilence(nowMs);
  }

  /** Kills the process when nothing was heard of it for too long. It is replaced. */
  endIfStuck(nowMs: number): void {
    const lane = this.#process;
    const allowedMs = this.#isReady ? this.#parts.silenceMs : OPENING_SILENCE_MS;
    if (!lane?.running || lane.silentMs(nowMs) < allowedMs) return;
    this.#parts.log.error({ pid: lane.pid, silentMs: lane.silentMs(nowMs) }, 'a lane is stuck: ending it');
    lane.kill();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    if (this.#process?.running) await this.#process.stop(STOP_MS);
  }

  #restoreCameras(): void {
    for (const deviceId of this.deviceIds) {
      const camera = this.#parts.listener()?.requestedCamera(deviceId);
      if (camera) this.send({ type: 'addCamera', camera });
      else this.deviceIds.delete(deviceId);
    }
  }

  #replace(how: string, isOnGpu: boolean): void {
    const nowMs = performance.now();
    this.#crashesMs = [...this.#crashesMs.filter((atMs) => atMs > nowMs - CRASH_WINDOW_MS), nowMs];
    const crashes = this.#crashesMs.length;
    const deviceIds = [...this.deviceIds];
    this.#parts.log.error({ how, deviceIds, crashes }, 'a lane ended: replacing it');
    if (isOnGpu && crashes >= GPU_CRASH_LIMIT) {
      this.#crashesMs = [];
      this.#parts.onGpuFault(how);
    } else if (crashes >= CRASH_LIMIT && deviceIds.length > 0) {
      this.deviceIds.clear();
      this.#crashesMs = [];
      this.#parts.listener()?.onCrashLimit(deviceIds, how);
    }
    if (isOnGpu && !usesGpu(this.#parts.options())) {
      this.deviceIds.clear();
      this.#parts.onGpuLeft(deviceIds);
    }
    this.#restart = setTimeout(() => this.open(), RESTART_PAUSE_MS * crashes);
  }
}

const usesGpu = ({ executionProvider, attributeProvider }: LaneOptions): boolean =>
  [executionProvider, attributeProvider].some((provider) => provider !== 'cpu');

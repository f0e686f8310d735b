import type { Progress } from '../../platform/processes/progress.ts';

const CHECKS_PER_LIMIT = 8;

export interface WatchdogOptions {
  /** The longest time without a frame. */
  readonly limitMs: number;
  /** Whether no frame is expected now. That time does not count. */
  readonly paused: () => boolean;
  /**
   * What the program that reads a file has done so far. While it computes or reads, time without a frame does not count, because a busy
   * machine or a slow disk is no fault of the file. After `limitMs` of its own processor time it counts again. null: not known.
   */
  readonly progress?: (() => Progress | null) | undefined;
  readonly onSilence: () => void;
}

/** Notices that frames have stopped. */
export class Watchdog {
  readonly #timer: NodeJS.Timeout;
  readonly #options: WatchdogOptions;
  #silentChecks = 0;
  #last: Progress | null = null;
  /** Processor time at the first check after the last frame, in ms. */
  #sinceFrameMs: number | null = null;
  #lastCheckAt = performance.now();

  constructor(options: WatchdogOptions) {
    this.#options = options;
    const { limitMs, paused, onSilence } = options;
    const intervalMs = limitMs / CHECKS_PER_LIMIT;
    this.#timer = setInterval(() => {
      const now = performance.now();
      // A late check means that this process was blocked, not the camera: its frames wait in the pipe.
      const late = now - this.#lastCheckAt > 2 * intervalMs;
      this.#lastCheckAt = now;
      if (late) return;
      if (paused()) this.#silentChecks = 0;
      else if (!this.#goesOn()) this.#silentChecks += 1;
      if (this.#silentChecks < CHECKS_PER_LIMIT) return;
      this.stop();
      onSilence();
    }, intervalMs);
  }

  /** A frame has come. */
  reset(): void {
    this.#silentChecks = 0;
    this.#sinceFrameMs = null;
  }

  #goesOn(): boolean {
    const progress = this.#options.progress?.() ?? null;
    const last = this.#last;
    this.#last = progress;
    if (progress === null) return false;
    this.#sinceFrameMs ??= progress.processorMs;
    if (progress.processorMs - this.#sinceFrameMs >= this.#options.limitMs) return false;
    return progress.processorMs !== last?.processorMs || progress.bytes !== last.bytes;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

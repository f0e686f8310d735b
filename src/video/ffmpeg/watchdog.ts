const CHECKS_PER_LIMIT = 8;

export interface WatchdogOptions {
  /** The longest time without a frame. */
  readonly limitMs: number;
  /** Whether no frame is expected now. That time does not count. */
  readonly paused: () => boolean;
  readonly onSilence: () => void;
}

/** Notices that frames have stopped. */
export class Watchdog {
  readonly #timer: NodeJS.Timeout;
  #silentChecks = 0;
  #lastCheckAt = performance.now();

  constructor({ limitMs, paused, onSilence }: WatchdogOptions) {
    const intervalMs = limitMs / CHECKS_PER_LIMIT;
    this.#timer = setInterval(() => {
      const now = performance.now();
      // A late check means that this process was blocked, not the camera: its frames wait in the pipe.
      const late = now - this.#lastCheckAt > 2 * intervalMs;
      this.#lastCheckAt = now;
      if (late) return;
      this.#silentChecks = paused() ? 0 : this.#silentChecks + 1;
      if (this.#silentChecks < CHECKS_PER_LIMIT) return;
      this.stop();
      onSilence();
    }, intervalMs);
  }

  /** A frame has come. */
  reset(): void {
    this.#silentChecks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

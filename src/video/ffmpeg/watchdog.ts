const CHECKS_PER_LIMIT = 8;

export interface WatchdogOptions {
  /** Longest silence. */
  readonly limitMs: number;
  /** Whether nothing is to be expected at the moment; that time does not count. */
  readonly paused: () => boolean;
  readonly onSilence: () => void;
}

/** Notices when frames stop coming. */
export class Watchdog {
  readonly #timer: NodeJS.Timeout;
  #silentChecks = 0;
  #lastCheckAt = performance.now();

  constructor({ limitMs, paused, onSilence }: WatchdogOptions) {
    const intervalMs = limitMs / CHECKS_PER_LIMIT;
    this.#timer = setInterval(() => {
      const now = performance.now();
      // A late check means that this process was held up, not the camera: its frames wait in the pipe.
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

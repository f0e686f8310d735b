interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** Time for those who sleep by `wait`. It passes only by `step`. */
export class VirtualTime {
  #nowMs = 0;
  #sleepers: Sleeper[] = [];
  #released = false;

  get nowMs(): number {
    return this.#nowMs;
  }

  /** How many sleep now. */
  get waiting(): number {
    return this.#sleepers.length;
  }

  readonly wait = (ms: number, signal: AbortSignal): Promise<void> => {
    if (this.#released) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason as Error);
      };
      const wake = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { wakeAtMs: this.#nowMs + ms, wake };
      this.#sleepers.push(sleeper);
      signal.addEventListener('abort', abort, { once: true });
    });
  };

  /** Goes to the time of the next sleeper and wakes it. @returns false when that time is after `endMs` */
  step(endMs: number): boolean {
    const next = this.#sleepers.reduce((a, b) => (b.wakeAtMs < a.wakeAtMs ? b : a));
    if (next.wakeAtMs > endMs) return false;
    this.#nowMs = next.wakeAtMs;
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
    next.wake();
    return true;
  }

  /** Wakes all; from now on `wait` returns at once. */
  release(): void {
    this.#released = true;
    for (const { wake } of this.#sleepers) wake();
    this.#sleepers = [];
  }
}

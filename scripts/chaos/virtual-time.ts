interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** Time that passes when it is told to, for whoever sleeps by `wait`. */
export class VirtualTime {
  #nowMs = 0;
  #sleepers: Sleeper[] = [];
  #released = false;

  get nowMs(): number {
    return this.#nowMs;
  }

  get waiting(): number {
    return this.#sleepers.length;
  }

  readonly wait = (ms: number, signal: AbortSignal): Promise<void> => {
    if (this.#released) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const give = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason as Error);
      };
      const wake = () => {
        signal.removeEventListener('abort', give);
        resolve();
      };
      const sleeper: Sleeper = { wakeAtMs: this.#nowMs + ms, wake };
      this.#sleepers.push(sleeper);
      signal.addEventListener('abort', give, { once: true });
    });
  };

  /** To the next one that wakes. @returns false when that is after `endMs` */
  step(endMs: number): boolean {
    const next = this.#sleepers.reduce((a, b) => (b.wakeAtMs < a.wakeAtMs ? b : a));
    if (next.wakeAtMs > endMs) return false;
    this.#nowMs = next.wakeAtMs;
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
    next.wake();
    return true;
  }

  /** Everybody wakes, and nobody sleeps any more. */
  release(): void {
    this.#released = true;
    for (const { wake } of this.#sleepers) wake();
    this.#sleepers = [];
  }
}

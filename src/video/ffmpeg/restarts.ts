import { type BackoffOptions, backoffMs } from './backoff.ts';

export interface RestartOptions extends BackoffOptions {
  /** After frames for this time the next fault counts as the first. */
  readonly healthyMs: number;
}

/** Counts the restarts of a source and says how long to wait before the next one. */
export class Restarts {
  readonly #options: RestartOptions;
  #total = 0;
  #inARow = 0;
  #withoutFrame = 0;
  /** Monotonic; null while this run has no frame. */
  #firstFrameMs: number | null = null;

  constructor(options: RestartOptions) {
    this.#options = options;
  }

  get total(): number {
    return this.#total;
  }

  get counts(): { restartsInARow: number; restartsWithoutFrame: number } {
    return { restartsInARow: this.#inARow, restartsWithoutFrame: this.#withoutFrame };
  }

  /** Whether this run of ffmpeg has given a frame. */
  get hasFrames(): boolean {
    return this.#firstFrameMs !== null;
  }

  /** The stream stopped. @returns milliseconds to wait */
  next(): number {
    this.#total++;
    this.#inARow++;
    this.#withoutFrame++;
    return backoffMs(this.#inARow, this.#options);
  }

  /** A run of ffmpeg begins. */
  begin(): void {
    this.#firstFrameMs = null;
  }

  /** A frame came. @returns whether it is the first of this run */
  frame(): boolean {
    if (this.hasFrames) return false;
    this.#firstFrameMs = performance.now();
    this.#withoutFrame = 0;
    return true;
  }

  /** The run has ended. */
  end(): void {
    const { healthyMs } = this.#options;
    if (this.#firstFrameMs !== null && performance.now() - this.#firstFrameMs >= healthyMs) this.#inARow = 0;
  }
}

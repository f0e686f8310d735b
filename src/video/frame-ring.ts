import type { Frame, FullFrame } from '../vision/frame.ts';

export interface FrameRingOptions {
  /** Frames older than the newest by more are dropped. Default 3 s. */
  readonly keepMs?: number;
  /** Bounds the memory whatever the rate: 0.8 MB each at 960×540. Default 48. */
  readonly maxFrames?: number;
}

const DEFAULT_KEEP_MS = 3_000;
const DEFAULT_MAX_FRAMES = 48;

/** The full frames of a camera's last few seconds. Buffers are reused: after the first seconds nothing is allocated or copied. */
export class FrameRing {
  readonly #keepMs: number;
  readonly #maxFrames: number;
  /** Oldest first. */
  readonly #kept: FullFrame[] = [];

  constructor({ keepMs = DEFAULT_KEEP_MS, maxFrames = DEFAULT_MAX_FRAMES }: FrameRingOptions = {}) {
    this.#keepMs = keepMs;
    this.#maxFrames = maxFrames;
  }

  /** Keeps the buffer of a full frame and gives the buffer of the oldest one back to the source. */
  add({ full, keepFull }: Pick<Frame, 'full' | 'keepFull'>): void {
    if (!full) return;
    let spare: Uint8Array | null = null;
    for (let [oldest] = this.#kept; oldest && this.#isOver(oldest, full); [oldest] = this.#kept) {
      spare = oldest.data;
      this.#kept.shift();
    }
    keepFull(spare?.length === full.data.length ? spare : null);
    this.#kept.push(full);
  }

  /** @param index of the frame; null: the newest. Its data may be overwritten by the next `add`. */
  get(index: number | null): FullFrame | null {
    const found = index === null ? this.#kept.at(-1) : this.#kept.find((kept) => kept.index === index);
    return found ?? null;
  }

  /** Also true when time goes back, as when a file starts again. */
  #isOver(kept: FullFrame, newest: FullFrame): boolean {
    return (
      newest.timeMs - kept.timeMs > this.#keepMs ||
      kept.timeMs > newest.timeMs ||
      this.#kept.length >= this.#maxFrames
    );
  }
}

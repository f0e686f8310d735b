import type { Look } from '../../vision/still/still-frames.ts';

const WINDOW_MS = 10_000;
/** Weight of the newest frame in the moving averages. */
const NEWEST = 0.05;

interface ProcessedFrame {
  readonly tookMs: number;
  readonly lagMs: number;
  readonly isSkipped?: boolean;
  readonly isHeld?: boolean;
}

interface MeasuredRate {
  readonly processedFrames: number;
  readonly skippedFrames: number;
  readonly heldFrames: number;
  readonly fps: number;
  readonly avgProcessingTimeMs: number;
  readonly lagMs: number;
}

/** What the detector was spared. @param look null: the frame was skipped */
export const spared = (look: Look | null) => ({
  isSkipped: look === null || look.isHeld,
  isHeld: look?.isHeld ?? false,
});

/** Measures the processing of frames: number, rate, duration, lag. Times are monotonic ms. */
export class FrameRate {
  readonly #recentMs: number[] = [];
  #processedFrames = 0;
  #skippedFrames = 0;
  #heldFrames = 0;
  #avgMs = 0;
  #lagMs = 0;

  /** @param lagMs time since the frame arrived @param isSkipped no detection: it is no part of the mean duration @param isHeld … because people stand still */
  add(nowMs: number, { tookMs, lagMs, isSkipped = false, isHeld = false }: ProcessedFrame): void {
    const isFirst = this.#processedFrames === 0;
    if (isHeld) this.#heldFrames++;
    if (isSkipped) this.#skippedFrames++;
    else {
      const isFirstLook = this.#processedFrames === this.#skippedFrames;
      this.#avgMs = isFirstLook ? tookMs : this.#avgMs + NEWEST * (tookMs - this.#avgMs);
    }
    this.#lagMs = isFirst ? lagMs : this.#lagMs + NEWEST * (lagMs - this.#lagMs);
    this.#processedFrames++;
    this.#recentMs.push(nowMs);
    this.#forget(nowMs);
  }

  /** `fps` is the mean of the last ten seconds, or since the first frame if that is shorter. */
  at(nowMs: number): MeasuredRate {
    this.#forget(nowMs);
    const firstMs = this.#recentMs[0];
    const spanMs = firstMs === undefined ? 0 : nowMs - firstMs;
    const full = this.#processedFrames > this.#recentMs.length;
    const seconds = (full ? WINDOW_MS : Math.max(spanMs, 1000)) / 1000;
    return {
      processedFrames: this.#processedFrames,
      skippedFrames: this.#skippedFrames,
      heldFrames: this.#heldFrames,
      fps: Math.round((this.#recentMs.length / seconds) * 100) / 100,
      avgProcessingTimeMs: Math.round(this.#avgMs * 100) / 100,
      lagMs: Math.round(this.#lagMs),
    };
  }

  #forget(nowMs: number): void {
    while (this.#recentMs[0] !== undefined && this.#recentMs[0] < nowMs - WINDOW_MS) this.#recentMs.shift();
  }
}

import { FRAME_GAP_MS } from './frame-gap.ts';

/** Two readings of one frame: its own time, and the time spent with frames arriving (gaps left out). */
export interface Moment {
  readonly timeMs: number;
  readonly watchedMs: number;
}

/** The moment of a frame. @param before of the frame before; null: there was none */
export function momentOf(timeMs: number, before: Moment | null): Moment {
  if (!before) return { timeMs, watchedMs: 0 };
  const elapsedMs = timeMs - before.timeMs;
  return { timeMs, watchedMs: before.watchedMs + (elapsedMs > FRAME_GAP_MS ? 0 : elapsedMs) };
}

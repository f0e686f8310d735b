/**
 * More than this between two frames is a gap: nobody gets older in it, and it counts as not covered. Twice the interval
 * of the lowest frame rate (1 a second).
 */
export const FRAME_GAP_MS = 2_000;

/**
 * The time of a frame as everything measures it. The database has milliseconds: with parts of them a stored duration would differ from
 * the stored times that it lies between.
 */
export const wholeMs = (timeMs: number): number => Math.round(timeMs);

/** The time of a frame, and the time since the first frame without the gaps. */
export interface Moment {
  readonly timeMs: number;
  readonly watchedMs: number;
}

/** @param before the moment of the frame before; null for the first frame */
export function momentOf(timeMs: number, before: Moment | null): Moment {
  if (!before) return { timeMs, watchedMs: 0 };
  const elapsedMs = timeMs - before.timeMs;
  return { timeMs, watchedMs: before.watchedMs + (elapsedMs > FRAME_GAP_MS ? 0 : elapsedMs) };
}

import type { Box } from '../types.ts';

/** Where a person was seen: foot and head on the vertical through the middle of the box. Lengths in frame heights. */
export interface Stand {
  readonly seconds: number;
  readonly x: number;
  readonly foot: number;
  readonly head: number;
}

/** How a person moved at one end of a gap. Lengths in frame heights, times in seconds. */
export interface Motion {
  readonly at: Stand;
  /** Median of the sightings. */
  readonly height: number;
  /** Per second; null where the sightings are too few. */
  readonly speed: { readonly x: number; readonly y: number } | null;
}

/** @param aspect width over height of the frame */
export const standOf = (box: Box, seconds: number, aspect: number): Stand => ({
  seconds,
  x: ((box.left + box.right) / 2) * aspect,
  foot: box.bottom,
  head: box.top,
});

/** Least time between the first and the last sighting of a speed. */
const LEAST_SECONDS = 0.35;

/**
 * A straight line through sightings, by least squares.
 * @param at the end at the gap: the newest stand before a gap, the oldest after it
 * @param stands all, from `at` on
 */
export function motionOf(at: Stand, stands: readonly Stand[]): Motion {
  const heights = stands.map(({ foot, head }) => foot - head).sort((a, b) => a - b);
  const height = heights[heights.length >> 1]!;
  const lasted = Math.max(...stands.map(({ seconds }) => Math.abs(seconds - at.seconds)));
  if (lasted < LEAST_SECONDS) return { at, height, speed: null };
  const mean = (of: (stand: Stand) => number) =>
    stands.reduce((sum, stand) => sum + of(stand), 0) / stands.length;
  const middle = ({ foot, head }: Stand) => (foot + head) / 2;
  const [t, x, y] = [mean(({ seconds }) => seconds), mean((stand) => stand.x), mean(middle)];
  let [tt, tx, ty] = [0, 0, 0];
  for (const stand of stands) {
    const late = stand.seconds - t;
    tt += late * late;
    tx += late * (stand.x - x);
    ty += late * (middle(stand) - y);
  }
  return { at, height, speed: { x: tx / tt, y: ty / tt } };
}

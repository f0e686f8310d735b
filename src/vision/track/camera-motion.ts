import { inHeights } from '../body.ts';
import { height, middleOffset } from '../geometry.ts';
import type { Box } from '../types.ts';

/** A movement in the frame, in fractions of it. */
export interface Shift {
  readonly dx: number;
  readonly dy: number;
}

/** Largest ratio of the heights of two boxes of one object in two frames. */
const SAME_HEIGHT = 1.25;
/** Longest movement of the camera between two frames, in body heights. */
const LONGEST_SHIFT = 1.5;
/** Distance between a detection and the expected position, one standard deviation in body heights. */
const AGREEMENT = 0.15;
/** A shift needs so many votes more than no shift, as a share of the objects … */
const MARGIN = 0.15;
/** … and so many votes at all, as a share of the witnesses. */
const CERTAIN = 0.75;

/**
 * How the camera moved since the frame before. Each pair of an expected and a detected box of about the same height
 * proposes a shift. The shift with the most votes of objects wins if it has clearly more than no shift. As no pairs need
 * to be known, it also finds a shift that is longer than the distance between two people.
 *
 * @param witnesses least number of objects
 * @returns null if the camera stands still, or too few objects tell
 */
export function cameraShift(
  expected: readonly Box[],
  detected: readonly Box[],
  witnesses: number,
): Shift | null {
  const objects = Math.min(expected.length, detected.length);
  if (objects < witnesses) return null;
  const none = votes(expected, detected, { dx: 0, dy: 0 });
  // Nothing can have clearly more votes than this.
  if (none >= (1 - MARGIN) * objects) return null;
  let best: Shift | null = null;
  let most = Math.max(none + MARGIN * objects, CERTAIN * witnesses);
  for (const from of expected) {
    for (const to of detected) {
      if (!mayBeSame(from, to)) continue;
      const shift = { dx: middleOffset(from, to), dy: to.bottom - from.bottom };
      if (inHeights(from, shift.dx, shift.dy) >= LONGEST_SHIFT) continue;
      const count = votes(expected, detected, shift);
      if (count < most) continue;
      most = count;
      best = shift;
    }
  }
  return best;
}

/** The vote of an object is 1 for a detection at its shifted box, and less the farther the nearest one is. */
function votes(expected: readonly Box[], detected: readonly Box[], { dx, dy }: Shift): number {
  let sum = 0;
  for (const from of expected) {
    let nearest = Number.POSITIVE_INFINITY;
    for (const to of detected) {
      if (!mayBeSame(from, to)) continue;
      nearest = Math.min(nearest, inHeights(from, middleOffset(from, to) - dx, to.bottom - from.bottom - dy));
    }
    sum += Math.exp(-(nearest ** 2) / (2 * AGREEMENT ** 2));
  }
  return sum;
}

const mayBeSame = (a: Box, b: Box): boolean => {
  const ratio = height(b) / height(a);
  return ratio > 1 / SAME_HEIGHT && ratio < SAME_HEIGHT;
};

import { inHeights } from '../body.ts';
import { height } from '../geometry.ts';
import type { Box } from '../types.ts';

/** A way in the picture, in fractions of it. */
export interface Shift {
  readonly dx: number;
  readonly dy: number;
}

/** Two boxes of one object differ in height by no more than this factor from one frame to the next. */
const SAME_HEIGHT = 1.25;
/** Longest way of the camera between two frames, in body heights. */
const LONGEST_WAY = 1.5;
/** How far from its expected place an object may be detected and still agree, one standard deviation in body heights. */
const AGREEMENT = 0.15;
/** Votes that a way must have more than none, as a share of the objects … */
const MARGIN = 0.15;
/** … and votes that it must have at all, as a share of the witnesses. */
const CERTAIN = 0.75;

/**
 * How the camera moved since the frame before. Each pair of an expected box and a detected one of about the same height
 * proposes a way; the way on which most objects agree wins, if clearly more agree on it than on none. A vote needs no
 * pairs that are known before, so it also finds a way that is longer than the distance between two people.
 *
 * @param witnesses least number of objects
 * @returns null if it stands still, or nobody can tell
 */
export function cameraShift(
  expected: readonly Box[],
  detected: readonly Box[],
  witnesses: number,
): Shift | null {
  const objects = Math.min(expected.length, detected.length);
  if (objects < witnesses) return null;
  const none = votes(expected, detected, { dx: 0, dy: 0 });
  // Everybody is where they were expected: nothing can have clearly more votes.
  if (none >= (1 - MARGIN) * objects) return null;
  let best: Shift | null = null;
  let most = Math.max(none + MARGIN * objects, CERTAIN * witnesses);
  for (const from of expected) {
    for (const to of detected) {
      if (!mayBeSame(from, to)) continue;
      const shift = { dx: (to.left + to.right - from.left - from.right) / 2, dy: to.bottom - from.bottom };
      if (inHeights(from, shift.dx, shift.dy) >= LONGEST_WAY) continue;
      const count = votes(expected, detected, shift);
      if (count < most) continue;
      most = count;
      best = shift;
    }
  }
  return best;
}

/** Each object votes with how near to its shifted box somebody is detected, 0-1. */
function votes(expected: readonly Box[], detected: readonly Box[], { dx, dy }: Shift): number {
  let sum = 0;
  for (const from of expected) {
    let nearest = Number.POSITIVE_INFINITY;
    for (const to of detected) {
      if (!mayBeSame(from, to)) continue;
      const x = (to.left + to.right - from.left - from.right) / 2 - dx;
      nearest = Math.min(nearest, inHeights(from, x, to.bottom - from.bottom - dy));
    }
    sum += Math.exp(-(nearest ** 2) / (2 * AGREEMENT ** 2));
  }
  return sum;
}

const mayBeSame = (a: Box, b: Box): boolean => {
  const ratio = height(b) / height(a);
  return ratio > 1 / SAME_HEIGHT && ratio < SAME_HEIGHT;
};

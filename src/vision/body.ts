import { height, width } from './geometry.ts';
import type { Box } from './types.ts';

/** A standing person is about this much higher than wide: makes distances across the picture those of heights. */
const HEIGHT_PER_WIDTH = 3.4;

/** Length of a way across the picture, in body heights. @param box of whom it is measured by, in the way's unit */
export const inHeights = (box: Box, dx: number, dy: number): number =>
  Math.hypot(dx / (HEIGHT_PER_WIDTH * width(box)), dy / height(box));

/** Where on a standing person's box torso and legs are, as fractions of its height; background is kept out. */
const TORSO = { from: 0.2, to: 0.45 };
const LEGS = { from: 0.55, to: 0.85 };
/** Half the width that is looked at, as a fraction of the box's. */
const HALF_WIDTH = 0.18;

/** In the unit of the box. */
export const torsoOf = (box: Box): Box => partOf(box, TORSO);
export const legsOf = (box: Box): Box => partOf(box, LEGS);

function partOf({ left, top, right, bottom }: Box, { from, to }: { from: number; to: number }): Box {
  const middle = (left + right) / 2;
  const half = HALF_WIDTH * (right - left);
  const height = bottom - top;
  return { left: middle - half, right: middle + half, top: top + from * height, bottom: top + to * height };
}

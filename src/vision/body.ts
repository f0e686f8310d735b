import { height, width } from './geometry.ts';
import type { Box } from './types.ts';

/** Height of a standing person over their width; makes horizontal distances comparable with vertical ones. */
export const HEIGHT_PER_WIDTH = 3.4;

/** Length of a path in the frame, in body heights. @param box the body that measures it, in the unit of dx and dy */
export const inHeights = (box: Box, dx: number, dy: number): number =>
  Math.hypot(dx / (HEIGHT_PER_WIDTH * width(box)), dy / height(box));

/** Half of the width that counts as body, as a fraction of the box; the rest may be background. */
const HALF_WIDTH = 0.18;

/** Torso and legs of a standing person, in the unit of the box. */
export const torsoOf = (box: Box): Box => partOf(box, 0.2, 0.45);
export const legsOf = (box: Box): Box => partOf(box, 0.55, 0.85);

/** @param from fraction of the box's height, as `to` */
function partOf(box: Box, from: number, to: number): Box {
  const middle = (box.left + box.right) / 2;
  const half = HALF_WIDTH * width(box);
  const top = box.top + from * height(box);
  return { left: middle - half, right: middle + half, top, bottom: box.top + to * height(box) };
}

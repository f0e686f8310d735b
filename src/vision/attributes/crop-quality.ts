import type { FullFrame } from '../frame.ts';
import type { Box } from '../types.ts';

/** Smaller people are not looked at: pixels of height. */
const LEAST_HEIGHT_PX = 72;
/** From here on more pixels tell nothing more. */
const ENOUGH_HEIGHT_PX = 200;
/** Less of a body says too little about it. */
const LEAST_VISIBLE = 0.55;
/** Mean step of brightness between neighbouring pixels of a sharp picture. */
const SHARP_STEP = 6;
const GRID = 12;

/**
 * How good a look at somebody a picture gives, 0-1: large, whole, in front of everybody and sharp; 0 where it is not worth
 * looking.
 * @param others boxes of everybody in the picture, fractions
 */
export function cropQuality(frame: FullFrame, box: Box, others: readonly Box[]): number {
  const heightPx = (box.bottom - box.top) * frame.height;
  const seen = inside(box) - covered(box, others);
  if (heightPx < LEAST_HEIGHT_PX || seen < LEAST_VISIBLE) return 0;
  const size = Math.min(1, heightPx / ENOUGH_HEIGHT_PX);
  return size * seen * (0.5 + 0.5 * Math.min(1, meanStep(frame, box) / SHARP_STEP));
}

const areaOf = ({ left, top, right, bottom }: Box): number =>
  Math.max(0, right - left) * Math.max(0, bottom - top);

const overlap = (a: Box, b: Box): number =>
  areaOf({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });

const PICTURE: Box = { left: 0, top: 0, right: 1, bottom: 1 };
const inside = (box: Box): number => overlap(box, PICTURE) / areaOf(box);

/** The largest share of a box that somebody nearer to the camera (lower in the picture) covers. */
function covered(box: Box, others: readonly Box[]): number {
  const nearer = others.filter((other) => other !== box && other.bottom > box.bottom);
  return Math.max(0, ...nearer.map((other) => overlap(box, other) / areaOf(box)));
}

/** Steps of brightness in the middle of the box, on a grid of a few dozen places. */
function meanStep({ data, width, height }: FullFrame, box: Box): number {
  let sum = 0;
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++) {
      const x = Math.floor((box.left + ((column + 4) / (GRID + 8)) * (box.right - box.left)) * width);
      const y = Math.floor((box.top + ((row + 1) / (GRID + 2)) * (box.bottom - box.top)) * height);
      const at = Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 2, x));
      sum += Math.abs(data[at]! - data[at + 1]!);
    }
  return sum / (GRID * GRID);
}

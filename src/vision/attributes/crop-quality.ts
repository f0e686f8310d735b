import type { FullFrame } from '../frame.ts';
import { area, height, intersection, width } from '../geometry.ts';
import type { Box } from '../types.ts';

/** Smaller people are not classified: pixels of height. */
const LEAST_HEIGHT_PX = 72;
/** More pixels make a crop no better. */
const ENOUGH_HEIGHT_PX = 200;
/** Least visible share of the body. */
const LEAST_VISIBLE = 0.55;
/** Mean step of brightness between neighbouring pixels of a sharp frame. */
const SHARP_STEP = 6;
const GRID = 12;
const WHOLE_FRAME: Box = { left: 0, top: 0, right: 1, bottom: 1 };

/**
 * The quality of a crop, 0-1: high for a large, whole, uncovered and sharp person; 0 where it is not worth a classification.
 * @param others boxes of everybody in the frame, fractions
 */
export function cropQuality(frame: FullFrame, box: Box, others: readonly Box[]): number {
  const heightPx = height(box) * frame.height;
  const visible = intersection(box, WHOLE_FRAME) / area(box) - covered(box, others);
  if (heightPx < LEAST_HEIGHT_PX || visible < LEAST_VISIBLE) return 0;
  const size = Math.min(1, heightPx / ENOUGH_HEIGHT_PX);
  return size * visible * (0.5 + 0.5 * Math.min(1, meanStep(frame, box) / SHARP_STEP));
}

/** The largest share of a box that one nearer person (lower in the frame) covers. */
function covered(box: Box, others: readonly Box[]): number {
  const nearer = others.filter((other) => other !== box && other.bottom > box.bottom);
  return Math.max(0, ...nearer.map((other) => intersection(box, other) / area(box)));
}

/** Mean step of brightness on a grid of points in the middle of the box. */
function meanStep(frame: FullFrame, box: Box): number {
  let sum = 0;
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++) {
      const x = Math.floor((box.left + ((column + 4) / (GRID + 8)) * width(box)) * frame.width);
      const y = Math.floor((box.top + ((row + 1) / (GRID + 2)) * height(box)) * frame.height);
      const at = clamp(y, frame.height - 1) * frame.width + clamp(x, frame.width - 2);
      sum += Math.abs(frame.data[at]! - frame.data[at + 1]!);
    }
  return sum / (GRID * GRID);
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value));

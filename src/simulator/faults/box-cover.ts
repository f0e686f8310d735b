import { height, width } from '../../vision/geometry.ts';
import type { Box } from '../../vision/types.ts';

const COLUMNS = 8;
const ROWS = 20;
/** The lower part of a box that shows the legs. */
const LEGS = 0.4;

/** How much of a body's box is seen: not behind boxes that end lower in the picture, and inside the picture. */
export interface BoxView {
  /** Share of the box, 0-1. */
  readonly visible: number;
  /** Share of its lower 40 %, 0-1. */
  readonly legs: number;
}

/**
 * Who stands lower in the picture stands nearer to the camera. It goes by boxes, as the `visibility` of MOT17 does.
 * @param boxes whole bodies, fractions of the picture
 */
export function boxViews(boxes: readonly Box[]): BoxView[] {
  return boxes.map((box) => {
    const nearer = boxes.filter((other) => other.bottom > box.bottom && meet(other, box));
    let seen = 0;
    let legs = 0;
    for (let row = 0; row < ROWS; row++) {
      const y = box.top + ((row + 0.5) / ROWS) * height(box);
      for (let column = 0; column < COLUMNS; column++) {
        const x = box.left + ((column + 0.5) / COLUMNS) * width(box);
        if (x < 0 || x > 1 || y < 0 || y > 1 || nearer.some((other) => contains(other, x, y))) continue;
        seen++;
        if (row >= ROWS * (1 - LEGS)) legs++;
      }
    }
    return { visible: seen / (ROWS * COLUMNS), legs: legs / (ROWS * LEGS * COLUMNS) };
  });
}

const contains = (box: Box, x: number, y: number): boolean =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

const meet = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

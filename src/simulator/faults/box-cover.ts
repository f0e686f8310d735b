import { height, intersection, width } from '../../vision/geometry.ts';
import type { Box } from '../../vision/types.ts';

const COLUMNS = 8;
const ROWS = 20;
/** Share of a box that shows the legs. */
const LEGS = 0.4;

/** The true position of one person. */
export interface PlacedBox {
  /** Whole body, or what furniture leaves visible of it; fractions of the frame. */
  readonly box: Box;
  /** y of the feet; left out where the box ends there. */
  readonly foot?: number;
}

export const footOf = ({ box, foot = box.bottom }: PlacedBox): number => foot;

/** How much of a body's box is visible: inside the frame, and not behind boxes that end lower in it. */
export interface BoxView {
  /** Share of the box, 0-1. */
  readonly visible: number;
  /** Share of its lower 40 %, 0-1. */
  readonly legs: number;
}

/** A person lower in the frame is nearer to the camera. Boxes cover each other, as for the `visibility` of MOT17. */
export function boxViewOf(body: PlacedBox, everybody: readonly PlacedBox[]): BoxView {
  const { box } = body;
  const nearer = everybody.filter((one) => footOf(one) > footOf(body) && intersection(one.box, box) > 0);
  let seen = 0;
  let legs = 0;
  for (let row = 0; row < ROWS; row++) {
    const y = box.top + ((row + 0.5) / ROWS) * height(box);
    for (let column = 0; column < COLUMNS; column++) {
      const x = box.left + ((column + 0.5) / COLUMNS) * width(box);
      if (x < 0 || x > 1 || y < 0 || y > 1 || nearer.some((one) => contains(one.box, x, y))) continue;
      seen++;
      if (row >= ROWS * (1 - LEGS)) legs++;
    }
  }
  return { visible: seen / (ROWS * COLUMNS), legs: legs / (ROWS * LEGS * COLUMNS) };
}

const contains = (box: Box, x: number, y: number): boolean =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

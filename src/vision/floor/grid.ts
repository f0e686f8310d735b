import { AT_EDGE } from '../geometry.ts';
import type { Point } from '../types.ts';

/** The floor map of a camera is a grid over its picture. Cells are counted row by row, from the top left. */
export const FLOOR_COLUMNS = 32;
export const FLOOR_ROWS = 18;
export const FLOOR_CELLS = FLOOR_COLUMNS * FLOOR_ROWS;

/** @returns the cell of a foot point; -1 below, above or beside the picture */
export function floorCell([x, y]: Point): number {
  const [column, row] = [place(x, FLOOR_COLUMNS), place(y, FLOOR_ROWS)];
  return column < 0 || row < 0 ? -1 : row * FLOOR_COLUMNS + column;
}

/** Boxes that end at an edge of the picture reach a little beyond it. */
function place(at: number, count: number): number {
  if (!(at >= -AT_EDGE && at <= 1 + AT_EDGE)) return -1;
  return Math.max(0, Math.min(count - 1, Math.floor(at * count)));
}

import { AT_EDGE } from '../geometry.ts';
import type { Point, Region } from '../types.ts';

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

/** @param region null: the whole picture @returns 1 for each cell whose middle lies in a part of the picture, else 0 */
export function cellsIn(region: Region | null): Uint8Array {
  const cells = new Uint8Array(FLOOR_CELLS).fill(1);
  if (!region) return cells;
  const { left, top, width, height } = region;
  return cells.map((_, cell) => {
    const x = ((cell % FLOOR_COLUMNS) + 0.5) / FLOOR_COLUMNS;
    const y = (Math.floor(cell / FLOOR_COLUMNS) + 0.5) / FLOOR_ROWS;
    return x >= left && x <= left + width && y >= top && y <= top + height ? 1 : 0;
  });
}

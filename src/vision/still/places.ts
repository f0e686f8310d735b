import type { Box, Letterbox } from '../types.ts';
import { BRIGHTNESS_CELL, type BrightnessCells } from './brightness.ts';
import type { Cells } from './change-watch.ts';

type Grid = Pick<BrightnessCells, 'count' | 'columns'>;

/** What lies beside a box belongs to it: so much of its height. */
const MARGIN = 0.25;

/** A box with what is near it. @param aspect width over height of the frame */
export function around({ left, top, right, bottom }: Box, aspect: number): Box {
  const margin = MARGIN * (bottom - top);
  const beside = margin / aspect;
  return { left: left - beside, top: top - margin, right: right + beside, bottom: bottom + margin };
}

/** Marks the cells that parts of a picture touch. */
export function markCells(
  cells: Cells,
  boxes: readonly Box[],
  { contentWidth, contentHeight }: Letterbox,
  { count, columns }: Grid,
): void {
  const rows = count / columns;
  const cellOf = (share: number, pixels: number, most: number) =>
    Math.max(0, Math.min(most - 1, Math.floor((share * pixels) / BRIGHTNESS_CELL)));
  for (const { left, top, right, bottom } of boxes) {
    const [first, last] = [cellOf(left, contentWidth, columns), cellOf(right, contentWidth, columns)];
    for (let row = cellOf(top, contentHeight, rows); row <= cellOf(bottom, contentHeight, rows); row++)
      cells.fill(1, row * columns + first, row * columns + last + 1);
  }
}

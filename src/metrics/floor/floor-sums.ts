import { FLOOR_CELLS } from '../../vision/floor/grid.ts';

/** What was added up for each cell of a floor map. */
export class FloorSums {
  /** Person-milliseconds. */
  readonly ms = new Float64Array(FLOOR_CELLS);
  /** Movements, in picture widths. */
  readonly right = new Float64Array(FLOOR_CELLS);
  readonly down = new Float64Array(FLOOR_CELLS);

  /** @param cells as in `FloorChange` */
  add(cells: readonly number[]): void {
    for (let at = 0; at < cells.length; at += 4) {
      const cell = cells[at]!;
      this.ms[cell]! += cells[at + 1]!;
      this.right[cell]! += cells[at + 2]!;
      this.down[cell]! += cells[at + 3]!;
    }
  }
}

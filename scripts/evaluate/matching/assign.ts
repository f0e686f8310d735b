// This file serves the judges of what src/vision makes, so it shares no code with src/vision.

/** Shared time over the time of both, 0-1. */
export function temporalIou(a: readonly [number, number], b: readonly [number, number]): number {
  const shared = Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
  return shared <= 0 ? 0 : shared / (Math.max(a[1], b[1]) - Math.min(a[0], b[0]));
}

/**
 * Which row goes with which column so that the summed gain is highest (Kuhn-Munkres with potentials, O(n³)).
 * Pairs without gain stay apart.
 * @returns per row its column or null
 */
export function assign(gains: readonly (readonly number[])[], columns: number): (number | null)[] {
  const rows = gains.length;
  const size = Math.max(rows, columns);
  const cost = (row: number, column: number) => -(gains[row - 1]?.[column - 1] ?? 0);
  const u = new Array<number>(size + 1).fill(0);
  const v = new Array<number>(size + 1).fill(0);
  const rowOf = new Array<number>(size + 1).fill(0);
  for (let row = 1; row <= size; row++) {
    const way = new Array<number>(size + 1).fill(0);
    const least = new Array<number>(size + 1).fill(Number.POSITIVE_INFINITY);
    const done = new Array<boolean>(size + 1).fill(false);
    rowOf[0] = row;
    let column = 0;
    do {
      done[column] = true;
      const from = rowOf[column]!;
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let j = 1; j <= size; j++) {
        if (done[j]) continue;
        const reduced = cost(from, j) - u[from]! - v[j]!;
        if (reduced < least[j]!) {
          least[j] = reduced;
          way[j] = column;
        }
        if (least[j]! < delta) {
          delta = least[j]!;
          next = j;
        }
      }
      for (let j = 0; j <= size; j++) {
        if (done[j]) {
          u[rowOf[j]!]! += delta;
          v[j]! -= delta;
        } else least[j]! -= delta;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      rowOf[column] = rowOf[way[column]!]!;
      column = way[column]!;
    }
  }
  const result = new Array<number | null>(rows).fill(null);
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column]!;
    if (row >= 1 && row <= rows && gains[row - 1]![column - 1]! > 0) result[row - 1] = column - 1;
  }
  return result;
}

/**
 * The one-to-one assignment of rows to columns with the highest sum of gains (Kuhn-Munkres with potentials, O(n³)). Pairs
 * without gain are not assigned.
 * @returns for each row its column, or null
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

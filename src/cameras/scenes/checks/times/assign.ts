interface Row {
  readonly gains: readonly number[];
  potential: number;
}

interface Column {
  readonly at: number;
  row: Row | null;
  potential: number;
  isReached: boolean;
  /** The least reduced cost of a way to it, and the column before. */
  least: number;
  before: Column | null;
}

/**
 * The one-to-one assignment of rows to columns with the highest sum of gains (Kuhn-Munkres with potentials, O(n³)). Pairs
 * without gain are not assigned.
 * @returns for each row its column, or null
 */
export function assign(gains: readonly (readonly number[])[], columns: number): (number | null)[] {
  const size = Math.max(gains.length, columns);
  const rows = Array.from({ length: size }, (_, at): Row => ({ gains: gains[at] ?? [], potential: 0 }));
  const all = Array.from({ length: size }, (_, at) => columnAt(at));
  for (const row of rows) {
    for (const one of all) Object.assign(one, { isReached: false, least: Number.POSITIVE_INFINITY });
    // The way begins beside the columns.
    let column = columnAt(-1);
    column.row = row;
    const reached: { readonly column: Column; readonly row: Row }[] = [];
    for (let from: Row | null = row; from !== null; from = column.row) {
      column.isReached = true;
      reached.push({ column, row: from });
      let delta = Number.POSITIVE_INFINITY;
      let next = column;
      for (const one of all) {
        if (one.isReached) continue;
        const reduced = -(from.gains[one.at] ?? 0) - from.potential - one.potential;
        if (reduced < one.least) Object.assign(one, { least: reduced, before: column });
        if (one.least < delta) {
          delta = one.least;
          next = one;
        }
      }
      for (const one of reached) {
        one.row.potential += delta;
        one.column.potential -= delta;
      }
      for (const one of all) if (!one.isReached) one.least -= delta;
      column = next;
    }
    for (let { before } = column; before; { before } = column) {
      column.row = before.row;
      column = before;
    }
  }
  return rows.slice(0, gains.length).map((row) => {
    const column = all.find((one) => one.row === row);
    return column && column.at < columns && (row.gains[column.at] ?? 0) > 0 ? column.at : null;
  });
}

const columnAt = (at: number): Column => ({
  ...{ at, row: null, potential: 0 },
  ...{ isReached: false, least: Number.POSITIVE_INFINITY, before: null },
});

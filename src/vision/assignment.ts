/** Arrays that grow with the largest problem and are reused, so that a call allocates nothing. */
const workSpace = (size: number) => ({
  rowPotential: new Float64Array(size),
  columnPotential: new Float64Array(size),
  shortest: new Float64Array(size),
  path: new Int32Array(size),
  remaining: new Int32Array(size),
  columnOf: new Int32Array(size),
  rowOf: new Int32Array(size),
  rowReached: new Uint8Array(size),
  columnReached: new Uint8Array(size),
  swapped: new Int32Array(size),
});

/**
 * Linear assignment by shortest augmenting paths, rectangular, with a gate.
 * Source: D. F. Crouse, "On implementing 2D rectangular assignment algorithms", IEEE T-AES 52(4), 2016
 * (the algorithm behind scipy's linear_sum_assignment).
 */
export class Assignment {
  #space = workSpace(0);

  /**
   * Pairs rows with columns so that the sum of costs is least. Only pairs that cost less than `gate` are made.
   *
   * @param cost row-major, `rows × columns`, finite; costs above `gate` are overwritten by it
   * @param gate Infinity pairs as many as there are rows or columns
   * @returns the column of each row, -1 without a partner; valid until the next call
   */
  solve(cost: Float64Array, rows: number, columns: number, gate = Number.POSITIVE_INFINITY): Int32Array {
    this.#reserve(rows, columns);
    if (gate !== Number.POSITIVE_INFINITY) {
      for (let at = 0; at < rows * columns; at++) if (cost[at]! > gate) cost[at] = gate;
    }
    // `#solveWide` needs as many columns as rows or more, so a tall problem is read transposed.
    const found =
      rows <= columns
        ? this.#solveWide(cost, { rows, columns, rowStride: columns, columnStride: 1 })
        : this.#transpose(
            this.#solveWide(cost, { rows: columns, columns: rows, rowStride: 1, columnStride: columns }),
            columns,
            rows,
          );
    for (let row = 0; row < rows; row++) {
      const column = found[row]!;
      if (column >= 0 && cost[row * columns + column]! >= gate) found[row] = -1;
    }
    return found;
  }

  #solveWide(
    cost: Float64Array,
    shape: { rows: number; columns: number; rowStride: number; columnStride: number },
  ): Int32Array {
    const { rows, columns, rowStride, columnStride } = shape;
    const { shortest, path, remaining, rowReached, columnReached } = this.#space;
    const u = this.#space.rowPotential.fill(0, 0, rows);
    const v = this.#space.columnPotential.fill(0, 0, columns);
    const columnOf = this.#space.columnOf.fill(-1, 0, rows);
    const rowOf = this.#space.rowOf.fill(-1, 0, columns);

    for (let start = 0; start < rows; start++) {
      let left = columns;
      for (let column = 0; column < columns; column++) remaining[column] = column;
      shortest.fill(Number.POSITIVE_INFINITY, 0, columns);
      rowReached.fill(0, 0, rows);
      columnReached.fill(0, 0, columns);
      let row = start;
      let least = 0;
      let sink = -1;
      while (sink < 0) {
        rowReached[row] = 1;
        let nearest = -1;
        let nearestCost = Number.POSITIVE_INFINITY;
        const base = least - u[row]!;
        const rowAt = row * rowStride;
        for (let at = 0; at < left; at++) {
          const column = remaining[at]!;
          const reduced = base + cost[rowAt + column * columnStride]! - v[column]!;
          let reach = shortest[column]!;
          if (reduced < reach) {
            path[column] = row;
            shortest[column] = reduced;
            reach = reduced;
          }
          if (reach < nearestCost || (reach === nearestCost && rowOf[column] === -1)) {
            nearestCost = reach;
            nearest = at;
          }
        }
        if (nearestCost === Number.POSITIVE_INFINITY)
          throw new RangeError('Assignment: costs must be finite numbers.');
        least = nearestCost;
        const column = remaining[nearest]!;
        if (rowOf[column] === -1) sink = column;
        else row = rowOf[column]!;
        columnReached[column] = 1;
        remaining[nearest] = remaining[--left]!;
      }
      u[start]! += least;
      for (let other = 0; other < rows; other++) {
        if (rowReached[other] && other !== start) u[other]! += least - shortest[columnOf[other]!]!;
      }
      for (let column = 0; column < columns; column++) {
        if (columnReached[column]) v[column]! -= least - shortest[column]!;
      }
      for (let column = sink; ; ) {
        const at = path[column]!;
        rowOf[column] = at;
        const next = columnOf[at]!;
        columnOf[at] = column;
        if (at === start) break;
        column = next;
      }
    }
    return columnOf;
  }

  /** @param found the column of each of `from` rows. @returns the row of each of `to` columns */
  #transpose(found: Int32Array, from: number, to: number): Int32Array {
    const swapped = this.#space.swapped.fill(-1, 0, to);
    for (let at = 0; at < from; at++) swapped[found[at]!] = at;
    return swapped;
  }

  #reserve(rows: number, columns: number): void {
    const size = Math.max(rows, columns);
    if (this.#space.path.length < size)
      this.#space = workSpace(Math.max(64, 2 ** Math.ceil(Math.log2(size))));
  }
}

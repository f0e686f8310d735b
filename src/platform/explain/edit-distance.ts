/** Damerau-Levenshtein distance: letters to insert, remove, replace or swap with a neighbour to get from `a` to `b`. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  // No way leads over a place outside the table.
  const wayTo = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= b.length; j++) {
      const replaced = wayTo(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? wayTo(i - 2, j - 2) + 1 : replaced;
      row.push(i + j === 0 ? 0 : Math.min(wayTo(i - 1, j) + 1, wayTo(i, j - 1) + 1, replaced, swapped));
    }
  }
  return wayTo(a.length, b.length);
}

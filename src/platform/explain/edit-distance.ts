/** Damerau-Levenshtein distance: letters to insert, remove, replace or swap with a neighbour to get from `a` to `b`. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : replaced;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

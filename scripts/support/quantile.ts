/** The value below which this share of the values lies: the upper neighbour where it falls between two; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const at = Math.min(values.length - 1, Math.floor(share * values.length));
  return values.toSorted((a, b) => a - b)[at] ?? Number.NaN;
}

/** The upper one of the two middle values where their number is even; 0 of none. */
export const median = (values: readonly number[]): number => quantile(values, 0.5) || 0;

import { round } from '../catalogue/metrics/arithmetic.ts';

/**
 * The definition of a percentile, for windows and totals: the value of rank `share × (count − 1)`. Ranks count from 0
 * in ascending order; between two ranks the value is interpolated linearly. NumPy and PERCENTILE.INC do the same.
 * @param share 0-1
 * @param valueAt the value of a whole rank
 * @returns null for a count of 0
 */
export function percentileOf(count: number, share: number, valueAt: (rank: number) => number): number | null {
  if (count === 0) return null;
  const rank = share * (count - 1);
  const below = valueAt(Math.floor(rank));
  const above = valueAt(Math.ceil(rank));
  return round(below + (above - below) * (rank - Math.floor(rank)));
}

/** Percentile of known values. @param sorted ascending */
export const percentile = (sorted: readonly number[], share: number): number | null =>
  percentileOf(sorted.length, share, (rank) => sorted[rank]!);

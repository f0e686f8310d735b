import { round } from './metrics.ts';

/**
 * The one definition of a percentile, of windows and of totals: the value of rank `share × (count − 1)`, ranks counted
 * from 0 in ascending order; between two ranks it is interpolated linearly. NumPy and PERCENTILE.INC do the same.
 * @param share 0-1
 * @param valueAt the value of a whole rank
 * @returns null of nothing
 */
export function percentileOf(count: number, share: number, valueAt: (rank: number) => number): number | null {
  if (count === 0) return null;
  const rank = share * (count - 1);
  const below = valueAt(Math.floor(rank));
  const above = valueAt(Math.ceil(rank));
  return round(below + (above - below) * (rank - Math.floor(rank)));
}

/** Of values that are all known. @param sorted ascending */
export const percentile = (sorted: readonly number[], share: number): number | null =>
  percentileOf(sorted.length, share, (rank) => sorted[rank]!);

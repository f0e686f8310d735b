import { round } from './metrics.ts';

/**
 * Exact percentile, interpolated between the two nearest values.
 * @param sorted ascending
 * @param share 0-1
 * @returns null of nothing
 */
export function percentile(sorted: readonly number[], share: number): number | null {
  if (sorted.length === 0) return null;
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return round(below + (above - below) * (at - Math.floor(at)));
}

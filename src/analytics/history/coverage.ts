import { round } from '../../catalogue/metrics/arithmetic.ts';

/** Percentage of the elapsed time with frames. */
export function coveragePercent(coveredMs: number, elapsedMs: number): number {
  if (coveredMs === 0) return 0;
  // A node whose clock is ahead of this one stores a minute before it begins here.
  return elapsedMs > 0 ? Math.min(100, round((coveredMs / elapsedMs) * 100)) : 100;
}

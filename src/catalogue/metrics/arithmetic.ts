/** Times have milliseconds (`wholeMs`), and so do all numbers that are made of them. */
export const round = (value: number): number => Math.round(value * 1000) / 1000;

export const rounded = (value: number | null): number | null => (value === null ? null : round(value));

export const average = (sum: number | null, count: number): number | null =>
  count > 0 ? round((sum ?? 0) / count) : null;

/** With less time with frames, and fewer of what is counted, one more or less would change a rate too much. */
const LEAST_RATE_MS = 10 * 60_000;
const LEAST_RATE_COUNT = 3;

/** What is counted an hour with frames; null where there is too little to tell. */
export const perHour = (count: number, coveredMs: number): number | null =>
  coveredMs > 0 && (coveredMs >= LEAST_RATE_MS || count >= LEAST_RATE_COUNT)
    ? round(count / (coveredMs / 3_600_000))
    : null;

/** Percentage of the elapsed time with frames. */
export function percentOf(coveredMs: number, elapsedMs: number): number {
  if (coveredMs === 0) return 0;
  // A node whose clock is ahead of this one stores a minute before it begins here.
  return elapsedMs > 0 ? Math.min(100, round((coveredMs / elapsedMs) * 100)) : 100;
}

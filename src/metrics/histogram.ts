import { percentileOf } from './percentile.ts';

/** The upper end of each bin is larger than that of the one before by this factor. */
const GROWTH = 1.05;
/** Upper end of the first bin. */
const FIRST_SECONDS = 1;
/** The last bin starts at one day and has no upper end. */
const BIN_COUNT = 1 + Math.ceil(Math.log(86_400 / FIRST_SECONDS) / Math.log(GROWTH));

/** Durations by bin. Empty bins at the end are left out. */
export interface Histogram {
  /** The number of durations in each bin. */
  readonly counts: number[];
  /** The sum of the durations in each bin, in seconds. */
  readonly seconds: number[];
}

function binOf(seconds: number): number {
  if (seconds <= FIRST_SECONDS) return 0;
  return Math.min(BIN_COUNT - 1, Math.ceil(Math.log(seconds / FIRST_SECONDS) / Math.log(GROWTH)));
}

/** Adds a duration and grows the arrays as needed. Changes the histogram. */
export function addToHistogram({ counts, seconds }: Histogram, value: number): void {
  const bin = binOf(value);
  while (counts.length < bin) counts.push(0);
  while (seconds.length < bin) seconds.push(0);
  counts[bin] = (counts[bin] ?? 0) + 1;
  seconds[bin] = (seconds[bin] ?? 0) + value;
}

/**
 * Percentile of all added values, as `percentileOf` defines it. Each value counts as the mean of its bin. So the result
 * is at most 5 % off (1 s below 1 s), and exact where the bin has one value.
 * @param share 0-1
 * @param maxSeconds the largest added value
 * @returns null for an empty histogram
 */
export function histogramPercentile(
  histogram: Histogram,
  share: number,
  maxSeconds: number | null,
): number | null {
  const count = histogram.counts.reduce((sum, inBin) => sum + inBin, 0);
  return percentileOf(count, share, (rank) =>
    rank === count - 1 && maxSeconds !== null ? maxSeconds : valueAt(histogram, rank, maxSeconds),
  );
}

function valueAt({ counts, seconds }: Histogram, rank: number, maxSeconds: number | null): number {
  let left = rank;
  for (const [bin, count] of counts.entries()) {
    left -= count;
    if (left >= 0) continue;
    const sum = seconds[bin] ?? 0;
    // The largest value is known, so the mean is that of the other values of its bin.
    const isLast = bin === counts.length - 1 && count > 1 && maxSeconds !== null;
    const mean = isLast ? (sum - maxSeconds) / (count - 1) : sum / count;
    return Math.min(mean, maxSeconds ?? mean);
  }
  throw new RangeError(`No value has rank ${rank}.`);
}

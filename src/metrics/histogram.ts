import { percentileOf } from './percentile.ts';

/** Each bin's upper end is so much larger than the one before. */
const GROWTH = 1.05;
/** Upper end of the first bin. */
const FIRST_SECONDS = 1;
/** The last bin begins after a day and takes everything longer. */
const BIN_COUNT = 1 + Math.ceil(Math.log(86_400 / FIRST_SECONDS) / Math.log(GROWTH));

/** Durations by bin, without the empty bins at the end. */
export interface Histogram {
  /** How many lie in each bin. */
  readonly counts: number[];
  /** Their sum in each bin, seconds. */
  readonly seconds: number[];
}

const upperEnd = (bin: number): number =>
  bin < BIN_COUNT - 1 ? FIRST_SECONDS * GROWTH ** bin : Number.POSITIVE_INFINITY;
const lowerEnd = (bin: number): number => (bin === 0 ? 0 : upperEnd(bin - 1));

function binOf(seconds: number): number {
  if (seconds <= FIRST_SECONDS) return 0;
  return Math.min(BIN_COUNT - 1, Math.ceil(Math.log(seconds / FIRST_SECONDS) / Math.log(GROWTH)));
}

/** Adds a duration; the arrays grow as needed. Changes the histogram. */
export function addToHistogram({ counts, seconds }: Histogram, value: number): void {
  const bin = binOf(value);
  while (counts.length <= bin) counts.push(0);
  while (seconds.length <= bin) seconds.push(0);
  counts[bin] = counts[bin]! + 1;
  seconds[bin] = seconds[bin]! + value;
}

/**
 * Percentile of everything that was ever added, by the definition of `percentileOf`. A value is taken for the mean of its
 * bin, so that the answer is at most 5 % off (1 s below 1 s), and exact where the bin holds one value.
 * @param share 0-1
 * @param maxSeconds the largest value added
 * @returns null of nothing
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
  let bin = 0;
  for (let left = rank; left >= counts[bin]!; bin++) left -= counts[bin]!;
  // The largest value is known: the others of its bin are the rest.
  const isLast = bin === counts.length - 1 && counts[bin]! > 1 && maxSeconds !== null;
  const mean = isLast
    ? ((seconds[bin] ?? 0) - maxSeconds) / (counts[bin]! - 1)
    : (seconds[bin] ?? 0) / counts[bin]!;
  // A worker of before counts without adding to the sums: no value lies outside its bin.
  return Math.min(Math.max(mean, lowerEnd(bin)), upperEnd(bin), maxSeconds ?? mean);
}

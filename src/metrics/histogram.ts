import { round } from './metrics.ts';

/** Each bin is this much longer than the one before: a percentile read from it is off by 2.5 % at most. */
const GROWTH = 1.05;
/** Upper end of the first bin. */
const FIRST_SECONDS = 1;
/** The last bin ends after a day and takes everything longer. */
const BIN_COUNT = 1 + Math.ceil(Math.log(86_400 / FIRST_SECONDS) / Math.log(GROWTH));

const upperEnd = (bin: number): number => FIRST_SECONDS * GROWTH ** bin;
const lowerEnd = (bin: number): number => (bin === 0 ? 0 : upperEnd(bin - 1));

function binOf(seconds: number): number {
  if (seconds <= FIRST_SECONDS) return 0;
  return Math.min(BIN_COUNT - 1, Math.ceil(Math.log(seconds / FIRST_SECONDS) / Math.log(GROWTH)));
}

/** Counts per bin, without the empty ones at the end; grows as needed. Changes `counts`. */
export function addToHistogram(counts: number[], seconds: number): void {
  const bin = binOf(seconds);
  while (counts.length <= bin) counts.push(0);
  counts[bin] = counts[bin]! + 1;
}

/**
 * Percentile of everything that was ever added, interpolated inside its bin.
 * @param share 0-1
 * @param maxSeconds the largest value added: no percentile is above it
 */
export function histogramPercentile(
  counts: readonly number[],
  share: number,
  maxSeconds: number | null,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let below = 0;
  for (const [bin, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) {
      const inBin = (wanted - below) / count;
      const seconds = lowerEnd(bin) + (upperEnd(bin) - lowerEnd(bin)) * inBin;
      return round(Math.min(seconds, maxSeconds ?? seconds));
    }
    below += count;
  }
  return maxSeconds;
}

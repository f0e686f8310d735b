import type { Resource } from '../../client/client.ts';

type Bin = Resource<'Durations'>['bins'][number];

/** What the API is asked for: so many seconds each, for 25 minutes. */
const FINEST_SECONDS = 15;
export const EDGES = Array.from({ length: 100 }, (_, at) => (at + 1) * FINEST_SECONDS);
const LONGEST = 300;
const STEPS = [15, 30, 60, 150, LONGEST];
const MOST_BINS = 12;

/**
 * Bins of one width, so that a longer bar is more people and not only a longer time. What takes longer than the API cuts
 * finely is one last bin without an end.
 * @param bins of `EDGES`
 */
export function equalBins(bins: readonly Bin[], maxSeconds: number): Bin[] {
  const end = Math.min(maxSeconds, ...EDGES.slice(-1));
  const step = STEPS.find((seconds) => end / seconds <= MOST_BINS) ?? LONGEST;
  const found: Bin[] = [];
  for (const { fromSeconds, toSeconds, count } of bins) {
    if (fromSeconds > maxSeconds) break;
    if (toSeconds === null) {
      found.push({ fromSeconds, toSeconds, count });
      continue;
    }
    const start = Math.floor(fromSeconds / step) * step;
    const last = found.at(-1);
    if (last?.fromSeconds === start) found[found.length - 1] = { ...last, count: last.count + count };
    else found.push({ fromSeconds: start, toSeconds: start + step, count });
  }
  return found;
}

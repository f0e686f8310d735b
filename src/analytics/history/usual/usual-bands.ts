import { round } from '../../../catalogue/metrics/arithmetic.ts';
import type { GroupValues } from '../group-metrics.ts';

/** The numbers that have a usual band; `count`: people, in whole numbers. */
const SCALES = {
  arrivals: 'count',
  abandoned: 'count',
  avgInQueue: 'root',
  avgWaitSeconds: 'root',
  p50WaitSeconds: 'root',
  avgServiceSeconds: 'root',
  serviceLevel: 'share',
  avgOpenTills: 'plain',
} as const satisfies Partial<Record<keyof GroupValues, string>>;
export type UsualName = keyof typeof SCALES;
export const USUAL_NAMES = Object.keys(SCALES) as UsualName[];

export type UsualValues = Pick<GroupValues, UsualName>;

export interface Band {
  readonly low: (number | null)[];
  readonly high: (number | null)[];
}

/** Fewer weeks say nothing about what is usual. */
export const LEAST_WEEKS = 3;
/** The buckets beside one count half: a single one of a few weeks says little. */
const BESIDE = 0.5;
/** What all buckets swing by counts as much as so many weeks of one. */
const POOLED_WEEKS = 4;
/** Eight of ten ordinary values lie within so many deviations: fewer than 1.28, because the buckets beside swing by their own means too. */
const DEVIATIONS = 1.2;

/**
 * The band of each number in each bucket: eight of ten ordinary values lie in it. People, waits and queues are compared by their square
 * roots, on whose scale they swing by about the same at all hours, whatever their dispersion, so that the few weeks of one bucket
 * can borrow how much the others swing.
 * @param weeks for each bucket the same one of earlier weeks, each with those beside it; null where it was not seen
 */
export function usualBands(
  weeks: readonly (readonly { own: UsualValues | null; beside: readonly UsualValues[] }[])[],
): Record<UsualName, Band> {
  return Object.fromEntries(USUAL_NAMES.map((name) => [name, bandOf(name, weeks)])) as Record<
    UsualName,
    Band
  >;
}

function bandOf(name: UsualName, weeks: Parameters<typeof usualBands>[0]): Band {
  const scale = SCALES[name];
  const isRoot = scale === 'count' || scale === 'root';
  const moments = weeks.map((past) => {
    const values = past.flatMap(({ own, beside }) => {
      const value = own?.[name] ?? null;
      if (value === null) return [];
      const near = beside.flatMap((one) =>
        one[name] === null ? [] : [{ value: one[name], weight: BESIDE }],
      );
      return [{ value, weight: 1 }, ...near];
    });
    const seen = values.filter(({ weight }) => weight === 1).length;
    return seen < LEAST_WEEKS ? null : { seen, ...spread(values, isRoot) };
  });
  const swings = moments.flatMap((one) => (one !== null && one.mean > 0 ? [one.variance] : []));
  const pooled = swings.reduce((sum, variance) => sum + variance, 0) / Math.max(1, swings.length);
  const edge = (value: number) => (isRoot ? value * value : value);
  const bands = moments.map((one) => {
    if (one === null) return { low: null, high: null };
    const { seen, mean, variance } = one;
    // Closed at this hour.
    if (mean === 0 && variance === 0) return { low: 0, high: 0 };
    const expected = (variance * seen + pooled * POOLED_WEEKS) / (seen + POOLED_WEEKS);
    const half = DEVIATIONS * Math.sqrt(expected * (1 + 1 / seen));
    const [low, high] = [edge(Math.max(0, mean - half)), edge(mean + half)];
    if (scale === 'count') return { low: Math.round(low), high: Math.round(high) };
    return { low: round(low), high: round(scale === 'share' ? Math.min(1, high) : high) };
  });
  return { low: bands.map(({ low }) => low), high: bands.map(({ high }) => high) };
}

function spread(values: readonly { readonly value: number; readonly weight: number }[], isRoot: boolean) {
  const scaled = values.map(({ value, weight }) => ({ weight, value: isRoot ? Math.sqrt(value) : value }));
  const weights = scaled.reduce((sum, { weight }) => sum + weight, 0);
  const mean = scaled.reduce((sum, { value, weight }) => sum + value * weight, 0) / weights;
  const squares = scaled.reduce((sum, { value, weight }) => sum + weight * (value - mean) ** 2, 0);
  // Of values with unequal weights.
  const free = weights - scaled.reduce((sum, { weight }) => sum + weight * weight, 0) / weights;
  return { mean, variance: free > 0 ? squares / free : 0 };
}

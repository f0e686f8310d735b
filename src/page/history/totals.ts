import type { Bucket } from '../kit/chart/points.ts';

/** The columns of a series that totals are made of. */
export interface Columns {
  readonly arrivals: readonly (number | null)[];
  readonly completed: readonly (number | null)[];
  readonly abandoned: readonly (number | null)[];
  readonly avgInQueue: readonly (number | null)[];
  readonly coveragePercent: readonly number[];
  /** Null: nobody has said when it is open. */
  readonly openPercent?: readonly number[] | null;
}

/** Numbers of a whole range; null where nothing was measured. */
export interface Totals {
  readonly arrivals: number | null;
  readonly completed: number | null;
  readonly abandoned: number | null;
  readonly abandonmentRate: number | null;
  readonly avgInQueue: number | null;
}

const sum = (values: readonly (number | null)[], at: readonly number[]): number | null =>
  at.reduce<number | null>((total, index) => {
    const value = values[index] ?? null;
    return value === null ? total : (total ?? 0) + value;
  }, null);

/** The totals of some buckets. The queue is weighted by the time with frames. */
export function totalsOf(columns: Columns, buckets: readonly Bucket[], at = allOf(buckets)): Totals {
  const { arrivals, completed, abandoned } = columns;
  const [served, gaveUp] = [sum(completed, at), sum(abandoned, at)];
  const ended = (served ?? 0) + (gaveUp ?? 0);
  // A site has the coverage of its worst camera: where one never runs, all times count alike.
  const isSeen = at.some((index) => columns.coveragePercent[index]);
  let [weighted, weight] = [0, 0];
  for (const index of at) {
    const value = columns.avgInQueue[index] ?? null;
    const bucket = buckets[index];
    const open = (columns.openPercent?.[index] ?? 100) / 100;
    const share = open * (isSeen ? (columns.coveragePercent[index] ?? 0) / 100 : 1);
    if (!bucket || value === null || share <= 0) continue;
    weighted += value * share * (bucket.toMs - bucket.fromMs);
    weight += share * (bucket.toMs - bucket.fromMs);
  }
  return {
    arrivals: sum(arrivals, at),
    completed: served,
    abandoned: gaveUp,
    abandonmentRate: gaveUp === null || ended === 0 ? null : gaveUp / ended,
    avgInQueue: weight > 0 ? weighted / weight : null,
  };
}

const allOf = (buckets: readonly Bucket[]): number[] => buckets.map((_, at) => at);

/**
 * The buckets whose totals can be compared: ended now, and with a counterpart.
 * @param earlier for each bucket the index of its counterpart
 */
export function comparable(
  buckets: readonly Bucket[],
  earlier: readonly (number | null)[],
  nowMs: number,
): { now: number[]; before: number[] } {
  const now = buckets.flatMap(({ toMs }, at) => (toMs <= nowMs && (earlier[at] ?? null) !== null ? at : []));
  return { now, before: now.flatMap((at) => earlier[at] ?? []) };
}

/** A change in percent; null where it says nothing. */
export const changePercent = (now: number | null, before: number | null): number | null =>
  now === null || before === null || before === 0 ? null : ((now - before) / before) * 100;

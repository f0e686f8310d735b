import {
  type DecidedVisit,
  DURATIONS,
  type HeldTills,
  TIME_SUMS,
  VISIT_COUNTS,
} from '../catalogue/metrics/counted.ts';
import {
  COUNT_NAMES,
  DURATION_NAMES,
  durationOf,
  SHARE_NAMES,
  SHARES,
  TILL_SUM_NAMES,
  type TillSumName,
  type TimeSums,
  type VisitSums,
} from '../catalogue/metrics/sums.ts';
import { addToHistogram, type Histogram, histogramPercentile } from './histogram.ts';

type CountColumn = (typeof VISIT_COUNTS)[keyof typeof VISIT_COUNTS]['total'];
type DurationColumns = (typeof DURATIONS)[keyof typeof DURATIONS]['total'];
type HistogramColumns = Extract<DurationColumns, { histogram: string }>;

/**
 * Totals since the first start of the scene, as stored. Sums and maxima in seconds; counts, and sums of the durations, in the bins of
 * `histogram.ts`.
 */
export type QueueTotals = Record<
  'arrivals' | CountColumn | DurationColumns['count'] | DurationColumns['sum'] | TillSumName,
  number
> &
  Record<DurationColumns['max'], number | null> &
  Record<HistogramColumns['histogram'] | HistogramColumns['binSeconds'], number[]>;

type TillSums = Pick<TimeSums, TillSumName | `${TillSumName}Mean`>;

/** The counts that are kept since the start. */
export const KEPT = COUNT_NAMES.filter((name) => 'total' in VISIT_COUNTS[name]);

export function noTotals(): QueueTotals {
  const totals: Record<string, number | number[] | null> = { arrivals: 0 };
  for (const name of KEPT) totals[VISIT_COUNTS[name].total] = 0;
  for (const name of TILL_SUM_NAMES) totals[name] = 0;
  for (const name of DURATION_NAMES) {
    const { total } = DURATIONS[name];
    totals[total.count] = 0;
    totals[total.sum] = 0;
    totals[total.max] = null;
    if (!('histogram' in total)) continue;
    totals[total.histogram] = [];
    totals[total.binSeconds] = [];
  }
  return totals as QueueTotals;
}

const histogramOf = (totals: QueueTotals, { histogram, binSeconds }: HistogramColumns): Histogram => ({
  counts: totals[histogram],
  seconds: totals[binSeconds],
});

/** Adds one decided visit. Changes `totals`. */
export function addDecided(totals: QueueTotals, visit: DecidedVisit): void {
  for (const name of KEPT) if (VISIT_COUNTS[name].is(visit)) totals[VISIT_COUNTS[name].total] += 1;
  for (const name of DURATION_NAMES) {
    const { total } = DURATIONS[name];
    const seconds = durationOf(DURATIONS[name], visit);
    if (seconds === null) continue;
    totals[total.count] += 1;
    totals[total.sum] += seconds;
    totals[total.max] = Math.max(seconds, totals[total.max] ?? 0);
    if ('histogram' in total) addToHistogram(histogramOf(totals, total), seconds);
  }
}

/** Adds a second of tills. Changes `totals`. */
export function addTills(totals: QueueTotals, tills: HeldTills): void {
  for (const name of TILL_SUM_NAMES) totals[name] += 1000 * TIME_SUMS[name].ofTills(tills);
}

/**
 * The sums since the start, of which the metrics `total.*` are made. Percentiles are null where no histogram is kept; of time only that
 * of tills is.
 */
export function totalSums(totals: QueueTotals): VisitSums & TillSums {
  const sums: Record<string, number | null> = { arrivals: totals.arrivals };
  for (const name of TILL_SUM_NAMES) {
    sums[name] = totals[name];
    sums[`${name}Mean`] = totals.tillKnownMs > 0 ? totals[name] / totals.tillKnownMs : null;
  }
  for (const name of KEPT) sums[name] = totals[VISIT_COUNTS[name].total];
  for (const name of DURATION_NAMES) {
    const { total } = DURATIONS[name];
    sums[`${name}Count`] = totals[total.count];
    sums[`${name}Sum`] = totals[total.sum];
    sums[`${name}Max`] = totals[total.max];
    for (const share of SHARE_NAMES)
      sums[`${name}${share}`] =
        'histogram' in total
          ? histogramPercentile(histogramOf(totals, total), SHARES[share], totals[total.max])
          : null;
  }
  return sums as VisitSums & TillSums;
}

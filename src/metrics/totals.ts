import type { Visit } from '../vision/types.ts';
import { serviceSeconds, waitSeconds } from '../vision/zones/visit-states.ts';
import { addToHistogram, type Histogram, histogramPercentile } from './histogram.ts';
import { average, round, type TotalMetrics } from './metrics.ts';

/** Totals since the first start of the scene, as stored. Sums and maxima in seconds. */
export interface QueueTotals {
  arrivals: number;
  completedCount: number;
  abandonedCount: number;
  lostCount: number;
  waitCount: number;
  waitSecondsSum: number;
  waitSecondsMax: number | null;
  /** Counts in the bins of `histogram.ts`. */
  waitHistogram: number[];
  /** Sums of the waits in each bin. */
  waitBinSeconds: number[];
  serviceCount: number;
  serviceSecondsSum: number;
  serviceSecondsMax: number | null;
  serviceHistogram: number[];
  serviceBinSeconds: number[];
  abandonedWaitCount: number;
  abandonedWaitSum: number;
  abandonedWaitMax: number | null;
}

export const noTotals = (): QueueTotals => ({
  arrivals: 0,
  completedCount: 0,
  abandonedCount: 0,
  lostCount: 0,
  waitCount: 0,
  waitSecondsSum: 0,
  waitSecondsMax: null,
  waitHistogram: [],
  waitBinSeconds: [],
  serviceCount: 0,
  serviceSecondsSum: 0,
  serviceSecondsMax: null,
  serviceHistogram: [],
  serviceBinSeconds: [],
  abandonedWaitCount: 0,
  abandonedWaitSum: 0,
  abandonedWaitMax: null,
});

const waitsOf = ({ waitHistogram, waitBinSeconds }: QueueTotals): Histogram => ({
  counts: waitHistogram,
  seconds: waitBinSeconds,
});
const servicesOf = ({ serviceHistogram, serviceBinSeconds }: QueueTotals): Histogram => ({
  counts: serviceHistogram,
  seconds: serviceBinSeconds,
});

/** Adds one closed visit. Changes `totals`. */
export const addClosedVisit = (totals: QueueTotals, visit: Visit): void =>
  addDecided(totals, { outcome: visit.outcome, wait: waitSeconds(visit), service: serviceSeconds(visit) });

/** What totals need of a visit. Seconds; null where nothing was measured. */
export interface DecidedVisit {
  readonly outcome: Visit['outcome'];
  readonly wait: number | null;
  readonly service: number | null;
}

/** Adds one decided visit. Changes `totals`. */
export function addDecided(totals: QueueTotals, { outcome, wait, service }: DecidedVisit): void {
  if (outcome === 'lost') totals.lostCount++;
  if (outcome === 'abandoned') {
    totals.abandonedCount++;
    if (wait === null) return;
    totals.abandonedWaitCount++;
    totals.abandonedWaitSum += wait;
    totals.abandonedWaitMax = Math.max(wait, totals.abandonedWaitMax ?? 0);
  }
  if (outcome !== 'completed') return;
  totals.completedCount++;
  if (wait !== null) {
    totals.waitCount++;
    totals.waitSecondsSum += wait;
    totals.waitSecondsMax = Math.max(wait, totals.waitSecondsMax ?? 0);
    addToHistogram(waitsOf(totals), wait);
  }
  if (service !== null) {
    totals.serviceCount++;
    totals.serviceSecondsSum += service;
    totals.serviceSecondsMax = Math.max(service, totals.serviceSecondsMax ?? 0);
    addToHistogram(servicesOf(totals), service);
  }
}

const rounded = (value: number | null): number | null => (value === null ? null : round(value));

/** The metrics `total.*` of a scene with both zones. */
export function totalMetrics(totals: QueueTotals): TotalMetrics {
  const { waitSecondsMax, serviceSecondsMax } = totals;
  const decided = totals.completedCount + totals.abandonedCount;
  return {
    completed: {
      count: totals.completedCount,
      waitCount: totals.waitCount,
      avgWaitSeconds: average(totals.waitSecondsSum, totals.waitCount),
      maxWaitSeconds: rounded(waitSecondsMax),
      p50WaitSeconds: histogramPercentile(waitsOf(totals), 0.5, waitSecondsMax),
      p90WaitSeconds: histogramPercentile(waitsOf(totals), 0.9, waitSecondsMax),
      serviceCount: totals.serviceCount,
      avgServiceSeconds: average(totals.serviceSecondsSum, totals.serviceCount),
      maxServiceSeconds: rounded(serviceSecondsMax),
      p90ServiceSeconds: histogramPercentile(servicesOf(totals), 0.9, serviceSecondsMax),
    },
    abandoned: {
      count: totals.abandonedCount,
      waitCount: totals.abandonedWaitCount,
      avgWaitSeconds: average(totals.abandonedWaitSum, totals.abandonedWaitCount),
      maxWaitSeconds: rounded(totals.abandonedWaitMax),
    },
    arrivals: totals.arrivals,
    abandonmentRate: average(totals.abandonedCount, decided),
    lostCount: totals.lostCount,
  };
}

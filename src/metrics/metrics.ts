/**
 * The metrics of a scene, with the names of the metric paths. A metric that the zones cannot measure is null, counts
 * too. Otherwise counts are 0 where nothing happened, and all other metrics are null where nothing was measured.
 * Seconds are rounded to milliseconds.
 */
export interface Metrics {
  readonly current: CurrentMetrics;
  readonly rolling5Min: WindowMetrics;
  readonly rolling15Min: WindowMetrics;
  readonly rolling30Min: WindowMetrics;
  readonly rolling60Min: WindowMetrics;
  readonly total: TotalMetrics;
}

/** Metrics of the open visits whose zones are confirmed. */
export interface CurrentMetrics {
  readonly inQueue: number | null;
  readonly inService: number | null;
  /** The sum of the two that are measured. */
  readonly totalPresent: number;
  readonly avgWaitSeconds: number | null;
  readonly maxWaitSeconds: number | null;
  readonly avgServiceSeconds: number | null;
  readonly maxServiceSeconds: number | null;
  readonly estimatedWaitSeconds: number | null;
}

export interface CompletedMetrics {
  readonly count: number;
  /** Number of measured waits: the weight of the average. */
  readonly waitCount: number | null;
  readonly avgWaitSeconds: number | null;
  readonly maxWaitSeconds: number | null;
  readonly p50WaitSeconds: number | null;
  readonly p90WaitSeconds: number | null;
  /** Number of measured services: the weight of the average. */
  readonly serviceCount: number | null;
  readonly avgServiceSeconds: number | null;
  readonly maxServiceSeconds: number | null;
  readonly p90ServiceSeconds: number | null;
}

export interface AbandonedMetrics {
  readonly count: number | null;
  /** Number of measured waits: the weight of the average. */
  readonly waitCount: number | null;
  readonly avgWaitSeconds: number | null;
  readonly maxWaitSeconds: number | null;
}

export interface TotalMetrics {
  readonly completed: CompletedMetrics;
  readonly abandoned: AbandonedMetrics;
  readonly arrivals: number;
  /** 0-1. */
  readonly abandonmentRate: number | null;
  readonly lostCount: number;
}

export interface WindowMetrics extends TotalMetrics {
  readonly throughputPerHour: number | null;
  readonly avgInQueue: number | null;
  readonly maxInQueue: number | null;
  readonly avgInService: number | null;
  /** 0-1. */
  readonly serverUtilization: number | null;
  /** 0-100. */
  readonly coveragePercent: number;
}

/** The rolling windows: name in metric paths, window type of stored records, length. */
export const WINDOWS = [
  { name: 'rolling5Min', windowType: '5min', lengthMs: 5 * 60_000 },
  { name: 'rolling15Min', windowType: '15min', lengthMs: 15 * 60_000 },
  { name: 'rolling30Min', windowType: '30min', lengthMs: 30 * 60_000 },
  { name: 'rolling60Min', windowType: '60min', lengthMs: 60 * 60_000 },
] as const;

export const LONGEST_WINDOW_MS = 60 * 60_000;

export type WindowType = (typeof WINDOWS)[number]['windowType'] | 'total';

/** Times have milliseconds (`wholeMs`), and so do all numbers that are made of them. */
export const round = (value: number): number => Math.round(value * 1000) / 1000;

/** With less time with frames, and fewer of what is counted, one more or less would change a rate too much. */
const LEAST_RATE_MS = 10 * 60_000;
const LEAST_RATE_COUNT = 3;

/** What is counted an hour with frames; null where there is too little to tell. */
export const perHour = (count: number, coveredMs: number): number | null =>
  coveredMs > 0 && (coveredMs >= LEAST_RATE_MS || count >= LEAST_RATE_COUNT)
    ? round(count / (coveredMs / 3_600_000))
    : null;

export const average = (sum: number, count: number): number | null => (count > 0 ? round(sum / count) : null);

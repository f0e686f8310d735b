/**
 * The numbers of a scene, named as the metric paths name them. What the scene's zones cannot measure is null, counts
 * too. Of what they can measure counts are 0 where nothing happened, and everything else is null where nothing was
 * measured. Seconds are rounded to milliseconds.
 */
export interface Metrics {
  readonly current: CurrentMetrics;
  readonly rolling5Min: WindowMetrics;
  readonly rolling15Min: WindowMetrics;
  readonly rolling30Min: WindowMetrics;
  readonly rolling60Min: WindowMetrics;
  readonly total: TotalMetrics;
}

/** The confirmed state. */
export interface CurrentMetrics {
  readonly inQueue: number | null;
  readonly inService: number | null;
  /** The sum of those that are measured. */
  readonly totalPresent: number;
  readonly avgWaitSeconds: number | null;
  readonly maxWaitSeconds: number | null;
  readonly avgServiceSeconds: number | null;
  readonly maxServiceSeconds: number | null;
  readonly estimatedWaitSeconds: number | null;
}

export interface CompletedMetrics {
  readonly count: number;
  /** How many of them the wait was measured of: the weight of its average. */
  readonly waitCount: number | null;
  readonly avgWaitSeconds: number | null;
  readonly maxWaitSeconds: number | null;
  readonly p50WaitSeconds: number | null;
  readonly p90WaitSeconds: number | null;
  /** How many of them the service was measured of: the weight of its average. */
  readonly serviceCount: number | null;
  readonly avgServiceSeconds: number | null;
  readonly maxServiceSeconds: number | null;
  readonly p90ServiceSeconds: number | null;
}

export interface AbandonedMetrics {
  readonly count: number | null;
  /** How many of them the wait was measured of: the weight of its average. */
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

/** The rolling windows: name in the metric paths, window type of the stored records, length. */
export const WINDOWS = [
  { name: 'rolling5Min', windowType: '5min', lengthMs: 5 * 60_000 },
  { name: 'rolling15Min', windowType: '15min', lengthMs: 15 * 60_000 },
  { name: 'rolling30Min', windowType: '30min', lengthMs: 30 * 60_000 },
  { name: 'rolling60Min', windowType: '60min', lengthMs: 60 * 60_000 },
] as const;

export const LONGEST_WINDOW_MS = 60 * 60_000;

export type WindowType = (typeof WINDOWS)[number]['windowType'] | 'total';

/** Milliseconds are what frames can tell. */
export const round = (value: number): number => Math.round(value * 1000) / 1000;

export const average = (sum: number, count: number): number | null => (count > 0 ? round(sum / count) : null);

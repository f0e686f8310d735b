import type { Visit } from '../vision/types.ts';
import { serviceSeconds, waitSeconds } from '../vision/zones/visit-states.ts';
import { averageOf, maxOf } from './current.ts';
import { average, perHour, round, type WindowMetrics } from './metrics.ts';
import type { OccupancySum } from './occupancy.ts';
import { percentile } from './percentile.ts';

export interface WindowContents {
  readonly lengthMs: number;
  /** Visits whose outcome was decided in the window. */
  readonly closed: readonly Visit[];
  readonly arrivals: number;
  readonly occupancy: OccupancySum;
}

const ascending = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null).sort((a, b) => a - b);

/** The metrics of one rolling window of a scene with both zones. */
export function windowMetrics({ lengthMs, closed, arrivals, occupancy }: WindowContents): WindowMetrics {
  const completed = closed.filter(({ outcome }) => outcome === 'completed');
  const abandoned = closed.filter(({ outcome }) => outcome === 'abandoned');
  const waits = ascending(completed.map(waitSeconds));
  const services = ascending(completed.map(serviceSeconds));
  const abandonedWaits = ascending(abandoned.map(waitSeconds));
  const { coveredMs } = occupancy;
  return {
    completed: {
      count: completed.length,
      waitCount: waits.length,
      avgWaitSeconds: averageOf(waits),
      maxWaitSeconds: maxOf(waits),
      p50WaitSeconds: percentile(waits, 0.5),
      p90WaitSeconds: percentile(waits, 0.9),
      serviceCount: services.length,
      avgServiceSeconds: averageOf(services),
      maxServiceSeconds: maxOf(services),
      p90ServiceSeconds: percentile(services, 0.9),
    },
    abandoned: {
      count: abandoned.length,
      waitCount: abandonedWaits.length,
      avgWaitSeconds: averageOf(abandonedWaits),
      maxWaitSeconds: maxOf(abandonedWaits),
    },
    arrivals,
    abandonmentRate: average(abandoned.length, completed.length + abandoned.length),
    lostCount: closed.length - completed.length - abandoned.length,
    throughputPerHour: perHour(completed.length, coveredMs),
    avgInQueue: average(occupancy.inQueueMs, coveredMs),
    maxInQueue: coveredMs > 0 ? occupancy.maxInQueue : null,
    avgInService: average(occupancy.inServiceMs, coveredMs),
    serverUtilization: average(occupancy.busyMs, coveredMs),
    coveragePercent: round(Math.min(100, (coveredMs / lengthMs) * 100)),
  };
}

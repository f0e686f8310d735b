import {
  COUNT_NAMES,
  type DecidedVisit,
  DURATION_NAMES,
  DURATIONS,
  durationOf,
  SHARE_NAMES,
  SHARES,
  TIME_SUM_NAMES,
  TIME_SUMS,
  type TimeSums,
  VISIT_COUNTS,
  type VisitSums,
} from '../catalogue/metrics/sums.ts';
import type { Visit } from '../vision/types.ts';
import { serviceSeconds, waitSeconds } from '../vision/zones/visit-states.ts';
import { nothing, type OccupancySum } from './occupancy.ts';
import { percentile } from './percentile.ts';

/** What sums need of a visit. */
export const decided = (visit: Visit): DecidedVisit => ({
  outcome: visit.outcome,
  wait: waitSeconds(visit),
  service: serviceSeconds(visit),
});

/** The sums of visits that were decided in a time. */
export function visitSums(visits: readonly DecidedVisit[], arrivals: number): VisitSums {
  const sums: Record<string, number | null> = { arrivals };
  for (const name of COUNT_NAMES) sums[name] = visits.filter(VISIT_COUNTS[name].is).length;
  for (const name of DURATION_NAMES) {
    const values = visits
      .map((visit) => durationOf(DURATIONS[name], visit))
      .filter((value) => value !== null)
      .sort((a, b) => a - b);
    sums[`${name}Count`] = values.length;
    sums[`${name}Sum`] = values.reduce((sum, value) => sum + value, 0);
    sums[`${name}Max`] = values.at(-1) ?? null;
    for (const share of SHARE_NAMES) sums[`${name}${share}`] = percentile(values, SHARES[share]);
  }
  return sums as VisitSums;
}

/** The sums of one scene over a time with frames. */
export function timeSums(occupancy: OccupancySum, elapsedMs: number): TimeSums {
  const { coveredMs } = occupancy;
  const sums: Record<string, number | null> = {
    coveredMs,
    leastCoveredMs: coveredMs,
    scenes: coveredMs > 0 ? 1 : 0,
    elapsedMs,
  };
  for (const name of TIME_SUM_NAMES) {
    const value = occupancy[name];
    const ofCovered = coveredMs > 0 ? value : null;
    sums[name] = TIME_SUMS[name].fold === 'sum' ? value : ofCovered;
    if (TIME_SUMS[name].fold === 'sum') sums[`${name}Mean`] = ofCovered && ofCovered / coveredMs;
  }
  return sums as TimeSums;
}

/** Of a time without frames. */
export const NO_TIME: TimeSums = timeSums(nothing(), 0);
/** Of a time without decided visits and arrivals. */
export const NO_VISITS: VisitSums = visitSums([], 0);

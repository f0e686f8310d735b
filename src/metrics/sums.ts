import { type DecidedVisit, DURATIONS, TIME_SUMS, VISIT_COUNTS } from '../catalogue/metrics/counted.ts';
import {
  COUNT_NAMES,
  DURATION_NAMES,
  durationOf,
  overOf,
  SHARE_NAMES,
  SHARES,
  SUMMED_NAMES,
  TIME_SUM_NAMES,
  type TimeSums,
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
  isInTime: visit.isInTime ?? null,
});

/** A visit with whether its wait was within the target that holds now, if its outcome is decided. */
export const judged = (visit: Visit, targetSeconds: number | null): Visit => {
  if (visit.outcome === null || visit.outcome === 'lost') return visit;
  const wait = waitSeconds(visit);
  return { ...visit, isInTime: wait === null || targetSeconds === null ? null : wait <= targetSeconds };
};

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
    const overMs = occupancy[overOf(name)];
    if (TIME_SUMS[name].fold === 'sum') sums[`${name}Mean`] = overMs > 0 ? value / overMs : null;
  }
  return sums as TimeSums;
}

/** Of a time without frames. */
export const NO_TIME: TimeSums = timeSums(nothing(), 0);
/** Of a time without decided visits and arrivals. */
export const NO_VISITS: VisitSums = visitSums([], 0);

/** The sums of several scenes over the same time. Their largest numbers together are not known from these. */
export function timeOfScenes(scenes: readonly TimeSums[]): TimeSums {
  const seen = scenes.filter(({ coveredMs }) => coveredMs > 0);
  const total = (name: keyof TimeSums) => seen.reduce((sum, scene) => sum + (scene[name] ?? 0), 0);
  const sums: Record<string, number | null> = {
    ...NO_TIME,
    coveredMs: total('coveredMs'),
    scenes: seen.length,
  };
  sums.leastCoveredMs =
    scenes.length > 0 ? Math.min(...scenes.map(({ leastCoveredMs }) => leastCoveredMs)) : 0;
  for (const name of SUMMED_NAMES) {
    sums[name] = total(name);
    const isMeasured = seen.some((scene) => scene[`${name}Mean`] !== null);
    sums[`${name}Mean`] = isMeasured ? total(`${name}Mean`) : null;
  }
  return sums as TimeSums;
}

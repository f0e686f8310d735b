import { average, round } from '../../catalogue/metrics/arithmetic.ts';
import { isMeasured } from '../../metrics/measured-by-zones.ts';
import type { QueueZones } from '../../vision/types.ts';
import { coveragePercent } from '../history/coverage.ts';
import { entryOf, type GroupMetricName } from '../history/group-metrics.ts';

/** The numbers of a time and place. Null where nothing was measured. */
export interface Numbers {
  /** 0-100; of several scenes, of the one with the least. */
  readonly coveragePercent: number;
  readonly arrivals: number | null;
  readonly completed: number | null;
  readonly abandoned: number | null;
  readonly lost: number | null;
  /** 0-1. */
  readonly abandonmentRate: number | null;
  readonly p50WaitSeconds: number | null;
  readonly p90WaitSeconds: number | null;
  readonly p50ServiceSeconds: number | null;
}

/** The numbers that are compared with those of the period before. */
export const COMPARED = [
  'arrivals',
  'completed',
  'abandoned',
  'abandonmentRate',
  'p50WaitSeconds',
  'p90WaitSeconds',
  'p50ServiceSeconds',
] as const satisfies readonly (keyof Numbers)[];
export type ComparedName = (typeof COMPARED)[number];

/** Visits whose outcome was decided. Seconds. */
export interface Decided {
  readonly completed: number;
  readonly abandoned: number;
  readonly lost: number;
  readonly waitP50: number | null;
  readonly waitP90: number | null;
  readonly serviceP50: number | null;
}

/** The sums from which numbers are made. */
export interface Sums {
  readonly decided: Decided | undefined;
  readonly arrivals: number;
  /** Time with frames: of all scenes together, and of the scene that has least. */
  readonly coveredMs: number;
  readonly leastCoveredMs: number;
  /** Length of the time until now. */
  readonly elapsedMs: number;
}

const COUNTS = [
  'arrivals',
  'completed',
  'abandoned',
  'lost',
  'abandonmentRate',
] as const satisfies readonly GroupMetricName[];

/** @returns a function that makes the numbers of scenes with these zones, by the rules of the series of `history/` */
export function numbersFor(zones: readonly QueueZones[]): (sums: Sums) => Numbers {
  const measured = new Set(
    COUNTS.filter((name) => zones.some((ofScene) => isMeasured(entryOf(name), ofScene))),
  );
  return ({ decided, arrivals, coveredMs, leastCoveredMs, elapsedMs }) => {
    const isSeen = coveredMs > 0 || decided !== undefined || arrivals > 0;
    // A count of 0 may mean that nobody looked.
    const orNull = (name: (typeof COUNTS)[number], value: number | null) =>
      value === 0 && !(isSeen && measured.has(name)) ? null : value;
    const seconds = (value: number | null | undefined) =>
      value === null || value === undefined ? null : round(value);
    const { completed = 0, abandoned = 0, lost = 0 } = decided ?? {};
    return {
      coveragePercent: coveragePercent(leastCoveredMs, elapsedMs),
      arrivals: orNull('arrivals', arrivals),
      completed: orNull('completed', completed),
      abandoned: orNull('abandoned', abandoned),
      lost: orNull('lost', lost),
      abandonmentRate: orNull('abandonmentRate', average(abandoned, completed + abandoned)),
      p50WaitSeconds: seconds(decided?.waitP50),
      p90WaitSeconds: seconds(decided?.waitP90),
      p50ServiceSeconds: seconds(decided?.serviceP50),
    };
  };
}

export interface Change {
  readonly absolute: number | null;
  readonly percent: number | null;
}

/** How each number changed; null where one of the two was not measured, and no percentage of 0. */
export const changesOf = (current: Numbers, previous: Numbers): Record<ComparedName, Change> =>
  Object.fromEntries(
    COMPARED.map((name) => {
      const [now, then] = [current[name], previous[name]];
      const absolute = now === null || then === null ? null : round(now - then);
      return [
        name,
        { absolute, percent: absolute === null || !then ? null : round((absolute / then) * 100) },
      ];
    }),
  ) as Record<ComparedName, Change>;

import { type ComparedName, IN_REPORTS, type ReportName } from '../../catalogue/metrics/all.ts';
import { percentOf, round } from '../../catalogue/metrics/arithmetic.ts';
import type { Sums } from '../../catalogue/metrics/sums.ts';
import type { QueueZones } from '../../vision/types.ts';
import { valuesFor } from '../history/group-metrics.ts';

/** The numbers of a time and place. Null where nothing was measured. */
export interface Numbers extends Readonly<Record<ReportName, number | null>> {
  /** 0-100; of several scenes, of the one with the least. */
  readonly coveragePercent: number;
}

export const NUMBER_NAMES = [
  'coveragePercent',
  ...IN_REPORTS.map(({ report }) => report.name),
] as (keyof Numbers)[];
/** The numbers that are compared with those of the period before. */
export const COMPARED = IN_REPORTS.flatMap(({ report: { name, change } }) =>
  change === undefined ? [] : [{ name: name as ComparedName, change }],
);
const TILES = IN_REPORTS.flatMap(({ unit, report: { name, tile } }) =>
  tile === undefined ? [] : [{ unit, name: name as ReportName, tile }],
);
/** The numbers that have a tile in the page, and a line in the text. A site without a target has no service level to show. */
export const tilesOf = (...shown: readonly Numbers[]) =>
  TILES.filter(
    ({ name }) => name !== 'serviceLevel' || shown.some(({ serviceLevel }) => serviceLevel !== null),
  );

/** @returns a function that makes the numbers of scenes with these zones, by the rules of the series of `history/` */
export function numbersFor(zones: readonly QueueZones[]): (sums: Sums) => Numbers {
  const valuesOf = valuesFor<(typeof IN_REPORTS)[number], ReportName>(
    IN_REPORTS,
    ({ report }) => report.name,
    zones,
  );
  return (sums) => ({ coveragePercent: percentOf(sums.leastCoveredMs, sums.elapsedMs), ...valuesOf(sums) });
}

export interface Change {
  readonly absolute: number | null;
  readonly percent: number | null;
}

/** How each number changed; null where one of the two was not measured, and no percentage of 0. */
export const changesOf = (current: Numbers, previous: Numbers): Record<ComparedName, Change> =>
  Object.fromEntries(
    COMPARED.map(({ name }) => {
      const [now, then] = [current[name], previous[name]];
      const absolute = now === null || then === null ? null : round(now - then);
      return [
        name,
        { absolute, percent: absolute === null || !then ? null : round((absolute / then) * 100) },
      ];
    }),
  ) as Record<ComparedName, Change>;

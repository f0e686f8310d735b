import type { TimeMetric } from '../../catalogue/metrics/metric.ts';
import { QUARTER_MS } from '../../catalogue/metrics/quarter.ts';
import {
  MOST_NAMES,
  neededSums,
  overOf,
  SUMMED_NAMES,
  type TimeSumName,
} from '../../catalogue/metrics/sums.ts';

interface Asked {
  readonly name: TimeSumName;
  /** The sum over the scenes, and the averages of the scenes added up. */
  readonly isSummed: boolean;
  readonly isMean: boolean;
}

/** The sums over time that metrics need, and the largest numbers. */
export function neededTimeSums(metrics: readonly TimeMetric[]): {
  readonly sums: readonly Asked[];
  readonly most: readonly TimeSumName[];
} {
  const needed = neededSums(metrics);
  const isMean = (name: (typeof SUMMED_NAMES)[number]) => needed.has(`${name}Mean`);
  const isOver = (time: string) => SUMMED_NAMES.some((name) => isMean(name) && overOf(name) === time);
  return {
    sums: SUMMED_NAMES.map((name) => ({
      name,
      isSummed: needed.has(name) || isOver(name),
      isMean: isMean(name),
    })).filter(({ isSummed, isMean }) => isSummed || isMean),
    most: MOST_NAMES.filter((name) => needed.has(name)),
  };
}

/** SQL of columns, each with a comma before it: of a stored row, of a scene (beside `covered`), and of several scenes. */
export const timeColumns = (sums: readonly Asked[]) => ({
  raw: sums.map(({ name }) => `, coalesce("${name}", 0)::float8 AS "${name}"`).join(''),
  ofScene: sums.map(({ name }) => `, sum("${name}") AS "${name}"`).join(''),
  ofGroup: sums
    .flatMap(({ name, isSummed, isMean }) => [
      isSummed ? `, sum("${name}") AS "${name}"` : '',
      isMean ? `, sum("${name}" / ${timeOf(name)}) AS "${name}Mean"` : '',
    ])
    .join(''),
});

/** SQL of the time over which the sum of a scene is averaged. */
function timeOf(name: TimeSumName): string {
  const over = overOf(name);
  return over === 'coveredMs' ? 'covered' : `nullif("${over}", 0)`;
}

/** SQL of the minutes of a range: those of the last two days, and packed ones. The scenes are `$1`. */
export const minutesWithin = (from: string, to: string): string =>
  `all_minutes($1::uuid[], ${from}::timestamptz, ${to}::timestamptz)`;

/** The same with the length of the queue alone: `coveredMs`, `inQueueMs` and `maxInQueue`. */
export const queueMinutesWithin = (from: string, to: string): string =>
  `all_queue_minutes($1::uuid[], ${from}::timestamptz, ${to}::timestamptz)`;

/**
 * SQL of the sums of a range with their time `start`: by the quarter of an hour where the edges allow it, else by the minute. The scenes are
 * `$1`.
 */
export const timeRows = (edges: readonly number[], from: string, to: string): string =>
  edges.every((edge) => edge % QUARTER_MS === 0)
    ? `(SELECT *, quarter AS start FROM "OccupancyQuarter"
        WHERE "sceneId" = ANY($1::uuid[]) AND quarter >= ${from}::timestamptz AND quarter < ${to}::timestamptz) stored`
    : `(SELECT *, minute AS start FROM ${minutesWithin(from, to)}) stored`;

import type { TimeMetric } from '../../catalogue/metrics/metric.ts';
import { MOST_NAMES, neededSums, SUMMED_NAMES, type TimeSumName } from '../../catalogue/metrics/sums.ts';

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
  return {
    sums: SUMMED_NAMES.map((name) => ({
      name,
      isSummed: needed.has(name),
      isMean: needed.has(`${name}Mean`),
    })).filter(({ isSummed, isMean }) => isSummed || isMean),
    most: MOST_NAMES.filter((name) => needed.has(name)),
  };
}

/** SQL of columns, each with a comma before it: of a stored row, of a scene (beside `covered`), and of several scenes. */
export const timeColumns = (sums: readonly Asked[]) => ({
  raw: sums.map(({ name }) => `, "${name}"::float8 AS "${name}"`).join(''),
  ofScene: sums.map(({ name }) => `, sum("${name}") AS "${name}"`).join(''),
  ofGroup: sums
    .flatMap(({ name, isSummed, isMean }) => [
      isSummed ? `, sum("${name}") AS "${name}"` : '',
      isMean ? `, sum("${name}" / covered) AS "${name}Mean"` : '',
    ])
    .join(''),
});

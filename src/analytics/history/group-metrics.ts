import { type HistoryName, IN_HISTORY } from '../../catalogue/metrics/all.ts';
import type { TimeMetric } from '../../catalogue/metrics/metric.ts';
import type { Sums } from '../../catalogue/metrics/sums.ts';
import { isMeasured } from '../../metrics/measured-by-zones.ts';
import type { QueueZones } from '../../vision/types.ts';

/** Numbers of a time by their names in history; null where nothing was measured. */
export type GroupValues = Record<HistoryName, number | null>;
/** The names of the metrics of a group, in the order of the answers. */
export const GROUP_METRIC_NAMES = IN_HISTORY.map(({ history }) => history.name) as HistoryName[];

/** What every answer with coverage has beside it. */
export const ERROR_NAMES = [
  ...(['expectedErrorPercent', 'expectedErrorLowPercent', 'expectedErrorHighPercent'] as const),
  ...(['expectedWaitErrorPercent', 'expectedWaitErrorLowPercent', 'expectedWaitErrorHighPercent'] as const),
] satisfies HistoryName[];

/**
 * @returns a function that gives the numbers of these scenes for the sums of a time. Null where nothing was measured: without frames,
 *   where the zones of no scene measure the metric, and an average of nothing. What was counted or measured under earlier
 *   zones stays.
 */
export function valuesFor<Metric extends TimeMetric, Name extends string>(
  metrics: readonly Metric[],
  nameOf: (metric: Metric) => string,
  zones: readonly QueueZones[],
): (sums: Sums) => Record<Name, number | null> {
  const known = metrics.map((metric) => ({
    name: nameOf(metric) as Name,
    metric,
    isKnown: zones.some((ofScene) => isMeasured(metric, ofScene)),
  }));
  return (sums) => {
    const { coveredMs, completed, abandoned, lost, arrivals } = sums;
    const isSeen = coveredMs + completed + abandoned + lost + arrivals > 0;
    const values = {} as Record<Name, number | null>;
    for (const { name, metric, isKnown } of known) {
      const value = metric.expression.value(sums);
      // A wait of 0 s was measured; a count of 0 may mean that nobody looked.
      values[name] = value === 0 && metric.unit !== 'seconds' && !(isSeen && isKnown) ? null : value;
    }
    return values;
  };
}

/** The metrics of a group: a bucket of a series, or a cell of a heat map. */
export const groupMetrics = (zones: readonly QueueZones[]): ((sums: Sums) => GroupValues) =>
  valuesFor(IN_HISTORY, ({ history }) => history.name, zones);

/** Some of the metrics of a group: those whose sums are to be read, and what gives their numbers. */
export function someGroupMetrics<Name extends HistoryName>(
  names: readonly Name[],
  zones: readonly QueueZones[],
): { readonly metrics: readonly TimeMetric[]; readonly valuesOf: (sums: Sums) => Pick<GroupValues, Name> } {
  const metrics = IN_HISTORY.filter(({ history }) => names.some((name) => name === history.name));
  return { metrics, valuesOf: valuesFor(metrics, ({ history }) => history.name, zones) };
}

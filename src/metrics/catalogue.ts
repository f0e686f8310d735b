import type { Metrics } from '../catalogue/metrics/all.ts';
import { CURRENT, ROLLING, TOTAL, WINDOWS } from '../catalogue/metrics/all.ts';
import type { CurrentMetric, MetricUnit, TimeMetric } from '../catalogue/metrics/metric.ts';
import type { ZoneName } from '../catalogue/metrics/needed-zones.ts';

export type MetricGroup = 'current' | 'rolling' | 'total';

/** A metric that rules, charts and endpoints can name. */
export interface MetricEntry {
  /** E.g. `rolling5Min.completed.avgWaitSeconds`. */
  readonly path: string;
  readonly label: string;
  readonly unit: MetricUnit;
  readonly group: MetricGroup;
  /** Counts are integers, measurements are numbers. */
  readonly type: 'integer' | 'number';
  readonly zones: ZoneName[];
  readonly description: string;
}

type Metric = CurrentMetric | TimeMetric;

export const typeOf = ({ unit, isFraction }: Metric): MetricEntry['type'] =>
  unit === 'count' && !isFraction ? 'integer' : 'number';

const entries = (
  prefix: string,
  metrics: readonly Metric[],
  { group, when }: { group: MetricGroup; when: string },
): MetricEntry[] =>
  metrics.map((metric) => ({
    path: `${prefix}.${metric.name}`,
    label: `${metric.label} (${when})`,
    unit: metric.unit,
    group,
    type: typeOf(metric),
    zones: [...metric.zones],
    description: metric.description,
  }));

/** All metrics, in the order of the metrics object. */
export const METRIC_CATALOGUE: readonly MetricEntry[] = [
  ...entries('current', CURRENT, { group: 'current', when: 'now' }),
  ...WINDOWS.flatMap(({ name, lengthMs }) =>
    entries(name, ROLLING, { group: 'rolling', when: `last ${lengthMs / 60_000} min` }),
  ),
  ...entries('total', TOTAL, { group: 'total', when: 'since start' }),
];

const BY_PATH = new Map(METRIC_CATALOGUE.map((entry) => [entry.path, entry]));

/** @returns undefined for a path that is not in the catalogue */
export const metricEntry = (path: string): MetricEntry | undefined => BY_PATH.get(path);

export const isMetricPath = (path: string): boolean => BY_PATH.has(path);

/** The value of a metric; null where it was not measured. @throws Error for a path that is not in the catalogue */
export function readMetric(metrics: Metrics, path: string): number | null {
  if (!BY_PATH.has(path)) throw new Error(`There is no metric ${path}`);
  return numberAt(metrics, path);
}

/** The number at a path of stored metrics, such as `completed.avgWaitSeconds`; null where there is none. */
export function numberAt(metrics: unknown, path: string): number | null {
  let value = metrics;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'number' ? value : null;
}

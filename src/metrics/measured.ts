import type { QueueZones } from '../vision/types.ts';
import { METRIC_CATALOGUE, type MetricEntry } from './catalogue.ts';
import type { Metrics } from './metrics.ts';

/** Whether the zones a scene has measure a metric at all. */
export const isMeasured = ({ zones: wanted }: MetricEntry, zones: QueueZones): boolean =>
  wanted.every((name) => zones[name] !== undefined);

/** Numbers of visits that have ended: those that ended under former zones still count. */
const OF_ENDED = /\.(completed|abandoned|abandonmentRate)\b/;

/**
 * The metrics of a scene, with null wherever its zones cannot measure one. What ended under former zones of the scene was
 * measured and stays.
 * @param metrics as of a scene with both zones: 0 where nothing happened
 */
export function onlyMeasured(metrics: Metrics, zones: QueueZones): Metrics {
  const unmeasured = METRIC_CATALOGUE.filter((entry) => !isMeasured(entry, zones));
  if (unmeasured.length === 0) return metrics;
  const copy = structuredClone(metrics);
  for (const { path, unit } of unmeasured) {
    const keys = path.split('.');
    const last = keys.pop()!;
    let group: unknown = copy;
    for (const key of keys) group = (group as Record<string, unknown>)[key];
    const numbers = group as Record<string, number | null>;
    // An average of nobody is null by itself; an average of 0 s was measured.
    const wasMeasured = OF_ENDED.test(path) && (unit === 'seconds' || numbers[last] !== 0);
    if (!wasMeasured) numbers[last] = null;
  }
  return copy;
}

import { existing } from '../catalogue/items/items.ts';
import type { QueueZones } from '../vision/types.ts';
import { METRIC_CATALOGUE, type MetricEntry } from './catalogue.ts';
import type { Metrics } from './metrics.ts';

/** Whether a scene has all zones that the metric needs. */
export const isMeasured = ({ zones: required }: MetricEntry, zones: QueueZones): boolean =>
  required.every((name) => zones[name] !== undefined);

/** Metrics of ended visits: visits that ended under earlier zones still count. */
const OF_ENDED = /\.(completed|abandoned|abandonmentRate)\b/;

/**
 * Sets the metrics to null that the zones of the scene cannot measure. Visits that ended under earlier zones were
 * measured and stay.
 * @param metrics as for a scene with both zones: 0 where nothing happened
 */
export function onlyMeasured(metrics: Metrics, zones: QueueZones): Metrics {
  const unmeasured = METRIC_CATALOGUE.filter((entry) => !isMeasured(entry, zones));
  if (unmeasured.length === 0) return metrics;
  const copy = structuredClone(metrics);
  for (const { path, unit } of unmeasured) {
    const keys = path.split('.');
    const last = existing(keys.pop(), 'item');
    let group: unknown = copy;
    for (const key of keys) group = (group as Record<string, unknown>)[key];
    const numbers = group as Record<string, number | null>;
    // An average of nothing is null already; an average of 0 s was measured.
    const wasMeasured = OF_ENDED.test(path) && (unit === 'seconds' || numbers[last] !== 0);
    if (!wasMeasured) numbers[last] = null;
  }
  return copy;
}

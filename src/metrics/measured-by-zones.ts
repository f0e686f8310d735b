import { TOTAL } from '../catalogue/metrics/all.ts';
import type { CurrentMetric, TimeMetric, ZoneName } from '../catalogue/metrics/metric.ts';
import { hasZone } from '../vision/scene-zones.ts';
import type { QueueZones } from '../vision/types.ts';

/** Whether a scene has all zones that the metric needs. */
export const isMeasured = (
  { zones: required }: { readonly zones: readonly ZoneName[] },
  zones: QueueZones,
): boolean => required.every((name) => hasZone(zones, name));

/** Numbers by name, nested by the dots of the names. */
export interface Numbers {
  [name: string]: number | null | Numbers;
}

/** @param names of metrics within their group, in their order */
export function nested(names: readonly string[], numberOf: (name: string) => number | null): Numbers {
  const numbers: Numbers = {};
  for (const name of names) {
    const keys = name.split('.');
    const last = keys.pop()!;
    let place = numbers;
    for (const key of keys) {
      place[key] ??= {};
      place = place[key] as Numbers;
    }
    place[last] = numberOf(name);
  }
  return numbers;
}

/**
 * @returns a function that gives the numbers of a scene with these zones. What the zones cannot measure is null, counts too; visits
 *   that ended under earlier zones were measured and stay.
 */
export function numbersFor<Metric extends CurrentMetric | TimeMetric>(
  metrics: readonly Metric[],
  zones: QueueZones,
): (read: (metric: Metric) => number | null) => Numbers {
  const names = metrics.map(({ name }) => name);
  const byName = new Map(
    metrics.map((metric) => {
      const isOfEnded = TOTAL.some(({ name }) => name === metric.name);
      return [metric.name, { metric, isOfEnded, isKnown: isMeasured(metric, zones) }];
    }),
  );
  return (read) =>
    nested(names, (name) => {
      const { metric, isOfEnded, isKnown } = byName.get(name)!;
      const value = read(metric);
      // An average of nothing is null already; an average of 0 s was measured.
      return isKnown || (isOfEnded && (metric.unit === 'seconds' || value !== 0)) ? value : null;
    });
}

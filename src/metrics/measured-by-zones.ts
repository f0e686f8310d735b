import {
  CURRENT,
  type CurrentMetrics,
  type Metrics,
  ROLLING,
  TOTAL,
  type TotalMetrics,
  WINDOWS,
  type WindowMetrics,
} from '../catalogue/metrics/all.ts';
import type { CurrentMetric, TimeMetric } from '../catalogue/metrics/metric.ts';
import type { ZoneName } from '../catalogue/metrics/needed-zones.ts';
import { NO_WAITS } from '../catalogue/waits/wait-words.ts';
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

/**
 * @param entries with names of metrics within their group, in their order
 * @returns a function that nests a number for each of them
 */
export function nester<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
): (numberOf: (entry: Entry, at: number) => number | null) => Numbers {
  const places = entries.map((entry) => ({
    ...{ entry, groups: entry.name.split('.').slice(0, -1) },
    key: entry.name.slice(entry.name.lastIndexOf('.') + 1),
  }));
  return (numberOf) => {
    const numbers: Numbers = {};
    for (const [at, { entry, groups, key }] of places.entries()) {
      let place = numbers;
      for (const group of groups) {
        place[group] ??= {};
        place = place[group] as Numbers;
      }
      place[key] = numberOf(entry, at);
    }
    return numbers;
  };
}

/**
 * @returns a function that gives the numbers of a scene with these zones. What the zones cannot measure is null, counts too; visits
 *   that ended under earlier zones were measured and stay.
 */
export function numbersFor<Metric extends CurrentMetric | TimeMetric>(
  metrics: readonly Metric[],
  zones: QueueZones,
): (read: (metric: Metric) => number | null) => Numbers {
  const nest = nester(
    metrics.map((metric) => ({
      ...{ metric, name: metric.name, isKnown: isMeasured(metric, zones) },
      isOfEnded: TOTAL.some(({ name }) => name === metric.name),
    })),
  );
  return (read) =>
    nest(({ metric, isKnown, isOfEnded }) => {
      const value = read(metric);
      // An average of nothing is null already; an average of 0 s was measured.
      const wasMeasured = isOfEnded && (metric.unit === 'seconds' || value !== 0);
      return isKnown || wasMeasured ? value : null;
    });
}

/** @returns a function that reads stored numbers. Those that an older version did not have are null */
function storedReader(metrics: readonly { readonly name: string }[]): (stored: unknown) => Numbers {
  const empty = nester(metrics)(() => null);
  return (stored) => filled(empty, stored);
}

function filled(empty: Numbers, stored: unknown): Numbers {
  const numbers: Numbers = {};
  const found = stored as Numbers | null | undefined;
  for (const [name, inner] of Object.entries(empty))
    numbers[name] =
      inner === null
        ? ((found?.[name] as number | null | undefined) ?? null)
        : filled(inner as Numbers, found?.[name]);
  return numbers;
}

/** Stored numbers of each group, as the API shows them. */
const storedNumbers = storedReader(CURRENT) as unknown as (stored: unknown) => CurrentMetrics;
export function storedCurrent(stored: unknown): CurrentMetrics {
  const reason = (stored as Partial<CurrentMetrics> | null | undefined)?.estimatedWaitReason;
  return {
    ...storedNumbers(stored),
    estimatedWaitReason: NO_WAITS.find((known) => known === reason) ?? null,
  };
}
export const storedWindow = storedReader(ROLLING) as unknown as (stored: unknown) => WindowMetrics;
export const storedTotal = storedReader(TOTAL) as unknown as (stored: unknown) => TotalMetrics;

/** Stored numbers of all groups; null before the first frame. */
export function storedMetrics(stored: unknown): Metrics | null {
  if (stored === null) return null;
  const groups = stored as Readonly<Record<string, unknown>>;
  return {
    current: storedCurrent(groups.current),
    ...Object.fromEntries(WINDOWS.map(({ name }) => [name, storedWindow(groups[name])])),
    total: storedTotal(groups.total),
  } as Metrics;
}

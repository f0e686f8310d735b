import { existing } from '../catalogue/items/items.ts';
import { type MetricEntry, metricEntry, numberAt } from '../metrics/catalogue.ts';

/** A number of a scene's state that is a sensor of Home Assistant too. */
interface Shown {
  /** Path in the catalogue of metrics, and in the state. */
  readonly path: string;
  /** Name of the sensor in ids and topics. It stays the same for ever: Home Assistant knows a sensor by it. */
  readonly key: string;
  readonly icon: string;
  /** It tells something of the measurement. */
  readonly isDiagnostic?: boolean;
}

const SHOWN: readonly Shown[] = [
  { path: 'current.inQueue', key: 'in_queue', icon: 'mdi:human-queue' },
  { path: 'current.inService', key: 'in_service', icon: 'mdi:account-check' },
  { path: 'current.totalPresent', key: 'present', icon: 'mdi:account-group' },
  { path: 'current.avgWaitSeconds', key: 'wait_so_far', icon: 'mdi:timer-sand' },
  { path: 'current.maxWaitSeconds', key: 'longest_wait_so_far', icon: 'mdi:timer-alert-outline' },
  { path: 'current.estimatedWaitSeconds', key: 'estimated_wait', icon: 'mdi:timer-outline' },
  {
    path: 'rolling15Min.completed.avgWaitSeconds',
    key: 'average_wait_15_min',
    icon: 'mdi:timer-sand-complete',
  },
  { path: 'rolling15Min.completed.p90WaitSeconds', key: 'p90_wait_15_min', icon: 'mdi:timer-sand-complete' },
  { path: 'rolling15Min.completed.avgServiceSeconds', key: 'average_service_15_min', icon: 'mdi:timer-cog' },
  { path: 'rolling15Min.abandonmentRate', key: 'abandonment_15_min', icon: 'mdi:account-arrow-left' },
  { path: 'rolling15Min.throughputPerHour', key: 'throughput_15_min', icon: 'mdi:account-arrow-right' },
  { path: 'rolling15Min.coveragePercent', key: 'coverage_15_min', icon: 'mdi:eye', isDiagnostic: true },
  { path: 'total.completed.count', key: 'served_total', icon: 'mdi:counter' },
  { path: 'total.abandoned.count', key: 'gave_up_total', icon: 'mdi:counter' },
];

/** Numbers of the state that are no sensors. */
const OTHERS = [
  ...['current.avgServiceSeconds', 'current.maxServiceSeconds', 'rolling15Min.arrivals'],
  ...['rolling15Min.completed.count', 'rolling15Min.abandoned.count', 'total.arrivals'],
];

export type ShownNumber = Shown & { readonly entry: MetricEntry };

/** The sensors of a scene, in their order. */
export const SHOWN_NUMBERS: readonly ShownNumber[] = SHOWN.map((shown) => ({
  ...shown,
  entry: entryOf(shown.path),
}));

const PATHS = [...SHOWN.map(({ path }) => path), ...OTHERS].map((path) => entryOf(path).path);

function entryOf(path: string): MetricEntry {
  const entry = metricEntry(path);
  if (!entry) throw new Error(`There is no metric ${path}`);
  return entry;
}

interface Numbers {
  [key: string]: number | null | Numbers;
}

/** The published numbers of stored metrics, nested as in the catalogue. What was not measured is null, never missing. */
export function numbersOf(metrics: unknown): Numbers {
  const numbers: Numbers = {};
  for (const path of PATHS) {
    const keys = path.split('.');
    const last = existing(keys.pop(), 'item');
    let place = numbers;
    for (const key of keys) {
      place[key] ??= {};
      place = place[key] as Numbers;
    }
    const value = numberAt(metrics, path);
    place[last] = value === null ? null : Math.round(value * 1000) / 1000;
  }
  return numbers;
}

import type { Metrics } from './metrics.ts';

export type MetricGroup = 'current' | 'rolling' | 'total';
export type MetricUnit = 'count' | 'seconds' | 'share' | 'percent' | 'perHour';

/** Zones that metrics depend on. */
export type ZoneName = 'queueZone' | 'checkoutZone';

/** A metric that rules, charts and endpoints can name. */
export interface MetricEntry {
  /** E.g. `rolling5Min.completed.avgWaitSeconds`. */
  readonly path: string;
  readonly label: string;
  /** `share` is 0-1, `percent` 0-100. */
  readonly unit: MetricUnit;
  readonly group: MetricGroup;
  /** Counts are integers, measurements are numbers. */
  readonly type: 'integer' | 'number';
  /** The zones that the metric needs; without one of them it is null. */
  readonly zones: ZoneName[];
  readonly description: string;
}

type Row = readonly [
  path: string,
  label: string,
  unit: MetricUnit,
  zones: readonly ZoneName[],
  description: string,
];

const QUEUE = ['queueZone'] as const;
const CHECKOUT = ['checkoutZone'] as const;
/** Only with both zones can a person who leaves the queue be known to have given up. */
const BOTH = ['queueZone', 'checkoutZone'] as const;
const ANY = [] as const;

const CURRENT: readonly Row[] = [
  ['inQueue', 'In queue', 'count', QUEUE, 'People waiting now'],
  ['inService', 'In service', 'count', CHECKOUT, 'People being served now'],
  ['totalPresent', 'Present', 'count', ANY, 'People waiting or being served now, as far as measured'],
  ['avgWaitSeconds', 'Average wait so far', 'seconds', QUEUE, 'Average time waited so far'],
  ['maxWaitSeconds', 'Longest wait so far', 'seconds', QUEUE, 'Longest time waited so far'],
  ['avgServiceSeconds', 'Average service so far', 'seconds', CHECKOUT, 'Average time in service so far'],
  ['maxServiceSeconds', 'Longest service so far', 'seconds', CHECKOUT, 'Longest time in service so far'],
  [
    'estimatedWaitSeconds',
    'Estimated wait',
    'seconds',
    QUEUE,
    'Expected wait of a person who joins now: people in queue divided by the completions per second of the last 15 minutes; null below 3 completions',
  ],
];

const RANK = 'the value of rank share × (count − 1), interpolated between two ranks';

const ENDED: readonly Row[] = [
  [
    'completed.count',
    'Served',
    'count',
    ANY,
    'People who were served; without a checkout zone, people who left the queue',
  ],
  ['completed.waitCount', 'Waits measured', 'count', QUEUE, 'Served people with a measured wait'],
  ['completed.avgWaitSeconds', 'Average wait', 'seconds', QUEUE, 'Average wait of served people'],
  ['completed.maxWaitSeconds', 'Longest wait', 'seconds', QUEUE, 'Longest wait of served people'],
  ['completed.p50WaitSeconds', 'Median wait', 'seconds', QUEUE, `Half waited no longer: ${RANK}`],
  ['completed.p90WaitSeconds', '90 % wait', 'seconds', QUEUE, `90 % waited no longer: ${RANK}`],
  ['completed.serviceCount', 'Services measured', 'count', CHECKOUT, 'Served people with a measured service'],
  ['completed.avgServiceSeconds', 'Average service', 'seconds', CHECKOUT, 'Average service time'],
  ['completed.maxServiceSeconds', 'Longest service', 'seconds', CHECKOUT, 'Longest service'],
  ['completed.p90ServiceSeconds', '90 % service', 'seconds', CHECKOUT, `90 % took no longer: ${RANK}`],
  ['abandoned.count', 'Gave up', 'count', BOTH, 'People who left the queue unserved'],
  [
    'abandoned.waitCount',
    'Waits before giving up measured',
    'count',
    BOTH,
    'People who gave up, with a measured wait',
  ],
  [
    'abandoned.avgWaitSeconds',
    'Average wait before giving up',
    'seconds',
    BOTH,
    'Average wait before giving up',
  ],
  [
    'abandoned.maxWaitSeconds',
    'Longest wait before giving up',
    'seconds',
    BOTH,
    'Longest wait before giving up',
  ],
  ['arrivals', 'Arrivals', 'count', ANY, 'People who joined the queue; without a queue zone, the checkout'],
  ['abandonmentRate', 'Share giving up', 'share', BOTH, 'Gave up ÷ (served + gave up), 0-1'],
  [
    'lostCount',
    'Lost from sight',
    'count',
    ANY,
    'Visits whose end was not seen; they count as neither served nor given up',
  ],
];

const ROLLING_ONLY: readonly Row[] = [
  [
    'throughputPerHour',
    'Served per hour',
    'perHour',
    ANY,
    'People served per hour of time with frames; null with less than 10 minutes of them and fewer than three people served',
  ],
  ['avgInQueue', 'Average queue', 'count', QUEUE, 'Queue length averaged over time'],
  ['maxInQueue', 'Longest queue', 'count', QUEUE, 'Longest queue'],
  ['avgInService', 'Average in service', 'count', CHECKOUT, 'People in service averaged over time'],
  ['serverUtilization', 'Utilisation', 'share', CHECKOUT, 'Share of time with a person in service, 0-1'],
  ['coveragePercent', 'Coverage', 'percent', ANY, 'Share of the window with frames, 0-100'],
];

const MEASURED_COUNTS = new Set(['avgInQueue', 'avgInService']);

const entries = (
  prefix: string,
  rows: readonly Row[],
  { group, when }: { group: MetricGroup; when: string },
): MetricEntry[] =>
  rows.map(([path, label, unit, zones, description]) => ({
    path: `${prefix}.${path}`,
    label: `${label}${when === '' ? '' : ` (${when})`}`,
    unit,
    group,
    type: unit === 'count' && !MEASURED_COUNTS.has(path) ? 'integer' : 'number',
    zones: [...zones],
    description,
  }));

const rolling = (minutes: number): MetricEntry[] =>
  entries(`rolling${minutes}Min`, [...ENDED, ...ROLLING_ONLY], {
    group: 'rolling',
    when: `last ${minutes} min`,
  });

/** All metrics, in the order of the metrics object. */
export const METRIC_CATALOGUE: readonly MetricEntry[] = [
  ...entries('current', CURRENT, { group: 'current', when: 'now' }),
  ...[5, 15, 30, 60].flatMap(rolling),
  ...entries('total', ENDED, { group: 'total', when: 'since start' }),
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

import type { Metrics } from './metrics.ts';

export type MetricGroup = 'current' | 'rolling' | 'total';
export type MetricUnit = 'count' | 'seconds' | 'share' | 'percent' | 'perHour';

/** One number that rules, charts and the metrics endpoints can name. */
export interface MetricEntry {
  /** E.g. `rolling5Min.completed.avgWaitSeconds`. */
  readonly path: string;
  readonly label: string;
  /** `share` is 0-1, `percent` 0-100. */
  readonly unit: MetricUnit;
  readonly group: MetricGroup;
  /** Integers count things, numbers measure. */
  readonly type: 'integer' | 'number';
  readonly description: string;
}

type Row = readonly [path: string, label: string, unit: MetricUnit, description: string];

const CURRENT: readonly Row[] = [
  ['inQueue', 'In queue', 'count', 'People waiting now'],
  ['inService', 'In service', 'count', 'People being served now'],
  ['totalPresent', 'Present', 'count', 'People waiting or being served now'],
  ['avgWaitSeconds', 'Average wait so far', 'seconds', 'Average time the waiting have waited so far'],
  ['maxWaitSeconds', 'Longest wait so far', 'seconds', 'Longest time one of the waiting has waited so far'],
  [
    'avgServiceSeconds',
    'Average service so far',
    'seconds',
    'Average time those in service have taken so far',
  ],
  ['maxServiceSeconds', 'Longest service so far', 'seconds', 'Longest service under way'],
  [
    'estimatedWaitSeconds',
    'Estimated wait',
    'seconds',
    'Expected wait of somebody joining now: people in queue by the completions per second of the last 15 minutes; null below 3 completions',
  ],
];

const ENDED: readonly Row[] = [
  ['completed.count', 'Served', 'count', 'People who were served'],
  ['completed.avgWaitSeconds', 'Average wait', 'seconds', 'Average wait of the served'],
  ['completed.maxWaitSeconds', 'Longest wait', 'seconds', 'Longest wait of the served'],
  ['completed.p50WaitSeconds', 'Median wait', 'seconds', 'Half of the served waited no longer'],
  ['completed.p90WaitSeconds', '90 % wait', 'seconds', 'Nine in ten of the served waited no longer'],
  ['completed.avgServiceSeconds', 'Average service', 'seconds', 'Average time of service'],
  ['completed.maxServiceSeconds', 'Longest service', 'seconds', 'Longest service'],
  ['completed.p90ServiceSeconds', '90 % service', 'seconds', 'Nine in ten services took no longer'],
  ['abandoned.count', 'Gave up', 'count', 'People who left the queue unserved'],
  [
    'abandoned.avgWaitSeconds',
    'Average wait before giving up',
    'seconds',
    'Average wait of those who gave up',
  ],
  [
    'abandoned.maxWaitSeconds',
    'Longest wait before giving up',
    'seconds',
    'Longest wait of those who gave up',
  ],
  ['arrivals', 'Arrivals', 'count', 'People who joined the queue (the checkout, if there is no queue zone)'],
  ['abandonmentRate', 'Share giving up', 'share', 'Gave up ÷ (served + gave up), 0-1'],
  ['lostCount', 'Lost from sight', 'count', 'Visits whose end was not seen; neither served nor given up'],
];

const ROLLING_ONLY: readonly Row[] = [
  ['throughputPerHour', 'Served per hour', 'perHour', 'People served per hour with frames'],
  ['avgInQueue', 'Average queue', 'count', 'Queue length averaged over time'],
  ['maxInQueue', 'Longest queue', 'count', 'Longest queue'],
  ['avgInService', 'Average in service', 'count', 'People in service averaged over time'],
  ['serverUtilization', 'Utilisation', 'share', 'Share of time with somebody in service, 0-1'],
  [
    'coveragePercent',
    'Coverage',
    'percent',
    'Share of the window with frames: below 100 the camera was away',
  ],
];

const MEASURED_COUNTS = new Set(['avgInQueue', 'avgInService']);

const entries = (
  prefix: string,
  rows: readonly Row[],
  { group, when }: { group: MetricGroup; when: string },
): MetricEntry[] =>
  rows.map(([path, label, unit, description]) => ({
    path: `${prefix}.${path}`,
    label: `${label}${when === '' ? '' : ` (${when})`}`,
    unit,
    group,
    type: unit === 'count' && !MEASURED_COUNTS.has(path) ? 'integer' : 'number',
    description,
  }));

const rolling = (minutes: number): MetricEntry[] =>
  entries(`rolling${minutes}Min`, [...ENDED, ...ROLLING_ONLY], {
    group: 'rolling',
    when: `last ${minutes} min`,
  });

/** Every metric path there is, in the order of the metrics object. */
export const METRIC_CATALOGUE: readonly MetricEntry[] = [
  ...entries('current', CURRENT, { group: 'current', when: 'now' }),
  ...[5, 15, 30, 60].flatMap(rolling),
  ...entries('total', ENDED, { group: 'total', when: 'since start' }),
];

const PATHS = new Set(METRIC_CATALOGUE.map(({ path }) => path));

export const isMetricPath = (path: string): boolean => PATHS.has(path);

/** The value at a metric path; null where it was not measured. @throws Error for a path that is not in the catalogue */
export function readMetric(metrics: Metrics, path: string): number | null {
  if (!PATHS.has(path)) throw new Error(`There is no metric ${path}`);
  let value: unknown = metrics;
  for (const key of path.split('.')) value = (value as Record<string, unknown>)[key];
  return value as number | null;
}

import { existing } from '../../catalogue/items/items.ts';
import { type MetricEntry, metricEntry } from '../../metrics/catalogue.ts';
import { isMeasured } from '../../metrics/measured.ts';
import { average, perHour, round } from '../../metrics/metrics.ts';
import type { QueueZones } from '../../vision/types.ts';
import type { DecidedSums, OccupancySums } from './sums.store.ts';

/** The sums of one group: a bucket of a series, or a cell of a heat map. */
export interface GroupSums {
  readonly occupancy: OccupancySums | undefined;
  readonly decided: DecidedSums | undefined;
  readonly arrivals: number;
}

/** A metric of a group. */
interface GroupMetric {
  /** Of the same metric of a rolling window in the catalogue; for `maxInService`, which has none, of a similar one. */
  readonly like: string;
  /** As for scenes with both zones: 0 where nothing happened, null where nothing can be said. */
  readonly value: (sums: GroupSums) => number | null;
  /** In words, where those of the catalogue do not fit. */
  readonly description?: string;
}

const rounded = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : round(value);
const mean = (sum: number | null | undefined, count: number | undefined): number | null =>
  average(sum ?? 0, count ?? 0);

/** People served per hour with frames; of several scenes with frames, per hour of their mean time. */
const throughput = ({ occupancy, decided }: GroupSums): number | null =>
  occupancy ? perHour(decided?.completed ?? 0, occupancy.coveredMs / occupancy.scenes) : null;

const METRICS = {
  arrivals: { like: 'arrivals', value: ({ arrivals }) => arrivals },
  completed: { like: 'completed.count', value: ({ decided }) => decided?.completed ?? 0 },
  abandoned: { like: 'abandoned.count', value: ({ decided }) => decided?.abandoned ?? 0 },
  lost: { like: 'lostCount', value: ({ decided }) => decided?.lost ?? 0 },
  abandonmentRate: {
    like: 'abandonmentRate',
    value: ({ decided }) => mean(decided?.abandoned, (decided?.completed ?? 0) + (decided?.abandoned ?? 0)),
  },
  throughputPerHour: { like: 'throughputPerHour', value: throughput },
  avgInQueue: { like: 'avgInQueue', value: ({ occupancy }) => rounded(occupancy?.avgInQueue) },
  maxInQueue: { like: 'maxInQueue', value: ({ occupancy }) => occupancy?.maxInQueue ?? null },
  avgInService: { like: 'avgInService', value: ({ occupancy }) => rounded(occupancy?.avgInService) },
  maxInService: {
    like: 'avgInService',
    description: 'Most people in service at the same time',
    value: ({ occupancy }) => occupancy?.maxInService ?? null,
  },
  serverUtilization: {
    like: 'serverUtilization',
    value: ({ occupancy }) => mean(occupancy?.busyMs, occupancy?.coveredMs),
  },
  waitCount: { like: 'completed.waitCount', value: ({ decided }) => decided?.waitCount ?? 0 },
  avgWaitSeconds: {
    like: 'completed.avgWaitSeconds',
    value: ({ decided }) => mean(decided?.waitSum, decided?.waitCount),
  },
  p50WaitSeconds: { like: 'completed.p50WaitSeconds', value: ({ decided }) => rounded(decided?.waitP50) },
  p90WaitSeconds: { like: 'completed.p90WaitSeconds', value: ({ decided }) => rounded(decided?.waitP90) },
  maxWaitSeconds: { like: 'completed.maxWaitSeconds', value: ({ decided }) => rounded(decided?.waitMax) },
  serviceCount: { like: 'completed.serviceCount', value: ({ decided }) => decided?.serviceCount ?? 0 },
  avgServiceSeconds: {
    like: 'completed.avgServiceSeconds',
    value: ({ decided }) => mean(decided?.serviceSum, decided?.serviceCount),
  },
  p90ServiceSeconds: {
    like: 'completed.p90ServiceSeconds',
    value: ({ decided }) => rounded(decided?.serviceP90),
  },
  maxServiceSeconds: {
    like: 'completed.maxServiceSeconds',
    value: ({ decided }) => rounded(decided?.serviceMax),
  },
  abandonedWaitCount: {
    like: 'abandoned.waitCount',
    value: ({ decided }) => decided?.abandonedWaitCount ?? 0,
  },
  avgAbandonedWaitSeconds: {
    like: 'abandoned.avgWaitSeconds',
    value: ({ decided }) => mean(decided?.abandonedWaitSum, decided?.abandonedWaitCount),
  },
  maxAbandonedWaitSeconds: {
    like: 'abandoned.maxWaitSeconds',
    value: ({ decided }) => rounded(decided?.abandonedWaitMax),
  },
} as const satisfies Readonly<Record<string, GroupMetric>>;

export type GroupMetricName = keyof typeof METRICS;
/** The metrics of a group, in the order of the answers. */
export const GROUP_METRICS: Readonly<Record<GroupMetricName, GroupMetric>> = METRICS;
export const GROUP_METRIC_NAMES = Object.keys(GROUP_METRICS) as GroupMetricName[];

/** The entry of the catalogue that a metric of a group follows. */
export const entryOf = (name: GroupMetricName): MetricEntry =>
  existing(metricEntry(`rolling60Min.${GROUP_METRICS[name].like}`), 'value');

/** The metrics of a group. */
export type GroupValues = Record<GroupMetricName, number | null>;

/**
 * @returns a function that gives the metrics of a group of these scenes. Null where nothing was measured: without frames,
 *   where the zones of no scene measure the metric, and an average of nothing. What was counted or measured under earlier
 *   zones stays.
 */
export function groupMetrics(zones: readonly QueueZones[]): (sums: GroupSums) => GroupValues {
  const metrics = GROUP_METRIC_NAMES.map((name) => {
    const entry = entryOf(name);
    return {
      ...{ name, value: GROUP_METRICS[name].value, isSeconds: entry.unit === 'seconds' },
      isMeasured: zones.some((ofScene) => isMeasured(entry, ofScene)),
    };
  });
  return (sums) => {
    const isSeen = (sums.occupancy?.coveredMs ?? 0) > 0 || sums.decided !== undefined || sums.arrivals > 0;
    const values = {} as GroupValues;
    for (const { name, value: read, isSeconds, isMeasured: isKnown } of metrics) {
      const value = read(sums);
      // A wait of 0 s was measured; a count of 0 may mean that nobody looked.
      values[name] = value === 0 && !isSeconds && !(isSeen && isKnown) ? null : value;
    }
    return values;
  };
}

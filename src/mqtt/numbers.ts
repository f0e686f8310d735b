import { CURRENT, type GroupName, ROLLING, TOTAL } from '../catalogue/metrics/all.ts';
import type { CurrentMetric, PublishedGroup, Sensor, TimeMetric } from '../catalogue/metrics/metric.ts';
import { type MetricEntry, metricEntry, numberAt } from '../metrics/catalogue.ts';
import { type Numbers, nester } from '../metrics/measured-by-zones.ts';

/** A number of a scene's state that is a sensor of Home Assistant too. */
export interface ShownNumber extends Sensor {
  /** Path in the catalogue of metrics, and in the state. */
  readonly path: string;
  readonly entry: MetricEntry;
}

const GROUPS: readonly (readonly [PublishedGroup & GroupName, readonly (CurrentMetric | TimeMetric)[]])[] = [
  ['current', CURRENT],
  ['rolling15Min', ROLLING],
  ['total', TOTAL],
];

const PUBLISHED = GROUPS.flatMap(([group, metrics]) =>
  metrics.flatMap(({ name, mqtt }) => {
    const sensor = mqtt?.[group];
    return sensor === undefined ? [] : [{ path: `${group}.${name}`, sensor }];
  }),
);

/** The sensors of a scene, in their order. */
export const SHOWN_NUMBERS: readonly ShownNumber[] = PUBLISHED.flatMap(({ path, sensor }) =>
  sensor === true ? [] : [{ ...sensor, path, entry: metricEntry(path)! }],
);

const nest = nester(PUBLISHED.map(({ path }) => ({ name: path })));

/** The published numbers of stored metrics, nested as in the catalogue. What was not measured is null, never missing. */
export const numbersOf = (metrics: unknown): Numbers =>
  nest(({ name }) => {
    const value = numberAt(metrics, name);
    return value === null ? null : Math.round(value * 1000) / 1000;
  });

import { type GroupName, WINDOWS as ROLLING } from '../../catalogue/metrics/all.ts';
import type { MetricUnit } from '../../catalogue/metrics/metric.ts';

/** The times over which a metric is taken, as the first part of its path. */
export type Window = GroupName;
export const WINDOWS: readonly Window[] = ['current', ...ROLLING.map(({ name }) => name), 'total'];

/** Units of metrics; `share` is 0-1. */
export type Unit = MetricUnit;

/** A metric of the catalogue of the API. */
export interface Metric {
  readonly path: string;
  readonly label: string;
  readonly unit: Unit;
  readonly type: 'integer' | 'number';
  readonly zones: readonly string[];
  readonly description: string;
}

/** @returns the window `current` for a path of another form */
export function splitPath(path: string): { window: Window; name: string } {
  const [first = '', ...rest] = path.split('.');
  const window = WINDOWS.find((known) => known === first);
  return window ? { window, name: rest.join('.') } : { window: 'current', name: path };
}

export const joinPath = (window: Window, name: string): string => `${window}.${name}`;

/** The metrics of a window, in the order of the catalogue. */
export const metricsOf = (catalogue: readonly Metric[], window: Window): Metric[] =>
  catalogue.filter(({ path }) => splitPath(path).window === window);

/** The metric with the same name over another window; else the first of that window. */
export function inWindow(catalogue: readonly Metric[], path: string, window: Window): string {
  const wanted = joinPath(window, splitPath(path).name);
  const found = metricsOf(catalogue, window);
  return (found.find((metric) => metric.path === wanted) ?? found[0])?.path ?? wanted;
}

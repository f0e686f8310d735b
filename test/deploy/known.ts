import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { SECRET_VARIABLES } from '../../src/platform/environment.ts';
import { Prometheus } from '../../src/platform/prometheus.ts';

const FOLDER = 'scripts/deploy';
export const folderOf = (name: string): string => `${FOLDER}/${name}`;
export const read = (file: string): string => readFileSync(`${FOLDER}/${file}`, 'utf8');

const table = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^\| ([^|]+)\|/gm)].map(([, cell]) => cell!);

/** Names of the variables in `src/configuration.md`, and of those that name a file with a secret. */
export const VARIABLES: ReadonlySet<string> = new Set([
  ...table('src/configuration.md').map((cell) => cell.trim()),
  ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
]);
/** Names of the metrics in `src/monitoring.md`, and of those of the library in every program. */
const METRICS = new Set([
  ...table('src/monitoring.md').flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!)),
  ...new Prometheus('api').registry.getMetricsAsArray().map(({ name }) => name),
]);
export const isMetric = (name: string): boolean =>
  METRICS.has(name) || METRICS.has(name.replace(/_(bucket|count|sum)$/, ''));

/** @returns names of the metrics @throws Error when Prometheus would refuse the expression */
export function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`wrong at ${from}: ${expression}`);
      if (type.name === 'Identifier') names.push(expression.slice(from, to));
    },
  });
  return names;
}

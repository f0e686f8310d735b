import { readFileSync } from 'node:fs';
import { SECRET_VARIABLES } from '../../src/platform/environment.ts';

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
/** Names of the metrics in `src/monitoring.md`. */
const METRICS = new Set(
  table('src/monitoring.md').flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!)),
);
export const isMetric = (name: string): boolean =>
  METRICS.has(name) || METRICS.has(name.replace(/_(bucket|count|sum)$/, ''));

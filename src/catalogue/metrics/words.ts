import { CURRENT, ROLLING, WINDOWS } from './all.ts';
import type { BothLanguages, CurrentMetric, MetricUnit, TimeMetric } from './metric.ts';

/** The words around the names of metrics in one language, for the page, mails and push messages. */
export interface MetricWords {
  readonly language: keyof BothLanguages;
  /** Behind the name of a metric of the last minutes. */
  lastMinutes(minutes: number): string;
  readonly sinceStart: string;
  perHour(value: string): string;
  /** The name of a metric behind the name of a place. */
  inSentence(name: string): string;
  /** What the bound of a rule is called, by its operator. */
  readonly limits: Readonly<Record<'GT' | 'GTE' | 'LT' | 'LTE' | 'EQ' | 'NEQ', string>>;
  /** By the operator of a rule. */
  readonly compared: Readonly<Record<'GT' | 'GTE' | 'LT' | 'LTE' | 'EQ' | 'NEQ', string>>;
}

const METRICS = new Map<string, CurrentMetric | TimeMetric>(
  [...CURRENT, ...ROLLING].map((metric) => [metric.name, metric]),
);
const nameIn = (path: string): string => path.slice(path.indexOf('.') + 1);

/** @param path e.g. `rolling5Min.completed.avgWaitSeconds`; undefined where it is unknown */
export const unitOf = (path: string): MetricUnit | undefined => METRICS.get(nameIn(path))?.unit;

/** @param name path without the group, e.g. `completed.avgWaitSeconds` */
export const nameOf = (name: string, { language }: MetricWords): string | undefined =>
  METRICS.get(name)?.words[language];

/** The name of a metric in words, for example "Average wait in the last 5 minutes"; the path itself where it is unknown. */
export function metricName(path: string, words: MetricWords): string {
  const [, group = '', name = ''] = /^(\w+?)\.(.+)$/.exec(path) ?? [];
  const label = nameOf(name, words);
  if (label === undefined) return path;
  const window = WINDOWS.find((known) => known.name === group);
  if (window) return `${label} ${words.lastMinutes(window.lengthMs / 60_000)}`;
  return group === 'total' ? `${label} ${words.sinceStart}` : label;
}

import type { MetricUnit } from '../catalogue/metrics/metric.ts';
import { metricEntry } from '../metrics/catalogue.ts';
import { type HeldCondition, OPERATORS } from './conditions.ts';

const tidy = (value: number): string => String(Math.round(value * 100) / 100);

const WRITTEN: Record<MetricUnit, (value: number) => string> = {
  count: tidy,
  seconds: (value) => `${tidy(value)} s`,
  share: (value) => `${tidy(value * 100)} %`,
  percent: (value) => `${tidy(value)} %`,
  perHour: (value) => `${tidy(value)}/h`,
};

/** The sentence of an alert, e.g. `In queue 7 > 5 at "Till 3"`. */
export function alertMessage(
  { metricPath, operator, threshold, actualValue }: HeldCondition,
  sceneName: string,
) {
  const { label, unit } = metricEntry(metricPath) ?? { label: metricPath, unit: 'count' as const };
  const write = WRITTEN[unit];
  const name = label.replace(/ \(now\)$/, '');
  return `${name} ${write(actualValue)} ${OPERATORS[operator].symbol} ${write(threshold)} at "${sceneName}"`;
}

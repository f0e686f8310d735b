import type { MetricUnit } from '../../catalogue/metrics/metric.ts';
import type { Texts } from '../text/en/all.ts';
import { duration, number, percent } from './numbers.ts';

/** A value of a metric with its unit. */
export function metricValue(
  unit: MetricUnit,
  value: number,
  { locale, texts }: { readonly locale: string; readonly texts: Texts['metrics'] },
): string {
  if (unit === 'seconds') return duration(value, locale);
  if (unit === 'perHour') return texts.perHour(number(value, locale));
  if (unit === 'percent') return percent(value / 100, locale);
  return unit === 'share' ? percent(value, locale) : number(value, locale);
}

import type { Texts } from '../text/en/all.ts';
import { duration, number, percent } from './numbers.ts';

type MetricTexts = Texts['metrics'];

/** A value of a metric with its unit, which its name tells. */
export function metricValue(
  path: string,
  value: number,
  { locale, texts }: { readonly locale: string; readonly texts: MetricTexts },
): string {
  if (path.endsWith('Seconds')) return duration(value, locale);
  if (path.endsWith('PerHour')) return texts.perHour(number(value, locale));
  if (path.endsWith('Percent')) return percent(value / 100, locale);
  if (path.endsWith('Rate') || path.endsWith('Utilization')) return percent(value, locale);
  return number(value, locale);
}

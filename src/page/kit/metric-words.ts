import type { Texts } from '../text/en/all.ts';
import { duration, number, percent } from './numbers.ts';

type MetricTexts = Texts['metrics'];

/** The name of a metric in words, for example "Average wait in the last 5 minutes"; the path itself where it is unknown. */
export function metricName(path: string, texts: MetricTexts): string {
  const [, group = '', name = ''] = /^(\w+?)\.(.+)$/.exec(path) ?? [];
  const label = texts.names[name];
  if (label === undefined) return path;
  const [, minutes] = /^rolling(\d+)Min$/.exec(group) ?? [];
  if (minutes !== undefined) return `${label} ${texts.lastMinutes(Number(minutes))}`;
  return group === 'total' ? `${label} ${texts.sinceStart}` : label;
}

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

import type { MetricUnit } from '../metrics/metric.ts';
import type { MetricWords } from '../metrics/words.ts';
import { durationInWords } from './duration.ts';

/** What values are written with: the words of a language, and its numbers. */
export interface Reader {
  readonly words: MetricWords;
  readonly locale: string;
}

/** A value of a metric with its unit. */
export function valueInWords(value: number, unit: MetricUnit, { words, locale }: Reader): string {
  const number = (shown: number, style: 'decimal' | 'percent' = 'decimal') =>
    new Intl.NumberFormat(locale, { style, maximumFractionDigits: style === 'percent' ? 0 : 1 }).format(
      shown,
    );
  switch (unit) {
    case 'seconds':
      return durationInWords(value);
    case 'share':
      return number(value, 'percent');
    case 'percent':
      return number(value / 100, 'percent');
    case 'perHour':
      return words.perHour(number(value));
    default:
      return number(value);
  }
}

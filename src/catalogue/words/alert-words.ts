import { type MetricWords, metricName, unitOf } from '../metrics/words.ts';
import { type Reader, valueInWords } from './value.ts';

/** The value that made a rule fire. */
export interface MeasuredAlert {
  readonly metricPath: string;
  readonly operator: keyof MetricWords['limits'];
  readonly threshold: number;
  readonly actualValue: number;
}

/** What was measured and what the limit is, e.g. "longest wait so far 4 min 31 s, limit 1 min 30 s". */
export function alertWords(alert: MeasuredAlert, reader: Reader): string {
  const { metricPath, operator, threshold, actualValue } = alert;
  const { words } = reader;
  const unit = unitOf(metricPath) ?? 'count';
  const name = words.inSentence(metricName(metricPath, words));
  return `${name} ${valueInWords(actualValue, unit, reader)}, ${words.limits[operator]} ${valueInWords(threshold, unit, reader)}`;
}

/** The sentence of an alert, e.g. "Checkout 1: longest wait so far 4 min 31 s, limit 1 min 30 s". */
export const alertSentence = (place: string, alert: MeasuredAlert, reader: Reader): string =>
  `${place}: ${alertWords(alert, reader)}`;

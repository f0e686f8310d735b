import { GERMAN_METRICS } from '../../../catalogue/metrics/german.ts';
import type { Texts } from '../en/all.ts';

export const metrics: Texts['metrics'] = {
  ...GERMAN_METRICS,
  perHour: (value) => `${value} pro Stunde`,
};

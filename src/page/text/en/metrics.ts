import { ENGLISH_METRICS } from '../../../catalogue/metric-words/english.ts';

export const metrics = {
  ...ENGLISH_METRICS,
  perHour: (value: string) => `${value} per hour`,
};

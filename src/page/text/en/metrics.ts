import { ENGLISH_METRICS } from '../../../catalogue/metrics/english.ts';

export const metrics = {
  ...ENGLISH_METRICS,
  perHour: (value: string) => `${value} per hour`,
};

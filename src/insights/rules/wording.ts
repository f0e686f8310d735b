import type { MetricUnit } from '../../catalogue/metrics/metric.ts';

const tidy = (value: number): string => String(Math.round(value * 10) / 10);

/** `45 s`, `3 min 20 s`, `1 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [h, min, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (h > 0) return min > 0 ? `${h} h ${min} min` : `${h} h`;
  if (min > 0) return s > 0 ? `${min} min ${s} s` : `${min} min`;
  return `${s} s`;
}

const WRITTEN: Record<MetricUnit, (value: number) => string> = {
  count: tidy,
  seconds: duration,
  share: (value) => `${tidy(value * 100)} %`,
  percent: (value) => `${tidy(value)} %`,
  perHour: (value) => `${tidy(value)} an hour`,
};

export const withUnit = (value: number, unit: MetricUnit): string => WRITTEN[unit](value);

/** `nobody`, `1 person`, `7 people`. */
export function people(count: number, seen: 'person' | 'vehicle'): string {
  if (seen === 'vehicle') return count === 1 ? '1 vehicle' : `${count === 0 ? 'no' : count} vehicles`;
  return count === 0 ? 'nobody' : count === 1 ? '1 person' : `${count} people`;
}

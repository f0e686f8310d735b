import { count, duration, number } from '../kit/numbers.ts';
import type { Feature } from './meters.ts';

const HOUR_SECONDS = 3600;

/** Hours with one digit at most, which add up to a limit; less than an hour as any other time. */
function hours(seconds: number, locale: string): string {
  if (seconds !== 0 && Math.abs(seconds) < HOUR_SECONDS) return duration(seconds, locale);
  return `${number(seconds / HOUR_SECONDS, locale, Math.abs(seconds) < 100 * HOUR_SECONDS ? 1 : 0)} h`;
}

/** A quantity of a feature, for people. */
export const amount = (feature: Feature, quantity: number, locale: string): string =>
  feature === 'analysis' ? hours(quantity, locale) : count(quantity, locale);

/** The name of a month, as "November 2026". */
export const monthName = (month: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  );

export const signedPercent = (percent: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'always',
  }).format(percent / 100);

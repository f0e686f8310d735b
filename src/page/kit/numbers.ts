/** Shown where nothing was measured; never 0. */
export const NOTHING = '–';

type Measured = number | null | undefined;

const shown = (value: Measured, format: (value: number) => string): string =>
  value === null || value === undefined || Number.isNaN(value) ? NOTHING : format(value);

/** A number with so many digits behind the decimal point at most. */
export const number = (value: Measured, locale: string, digits = 1): string =>
  shown(value, (known) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(known));

export const count = (value: Measured, locale: string): string => number(value, locale, 0);

/** @param share 0-1 */
export const percent = (share: Measured, locale: string, digits = 0): string =>
  shown(share, (known) =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(known),
  );

const unit = (value: number, name: string, locale: string, digits = 0): string =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: name,
    unitDisplay: 'narrow',
    maximumFractionDigits: digits,
  }).format(value);

/** A time span in two units at most: 45s, 3m 20s, 2h 5m. */
export const duration = (seconds: Measured, locale: string): string =>
  shown(seconds, (known) => {
    const whole = Math.max(0, Math.round(known));
    if (whole < 60) return unit(whole, 'second', locale);
    const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
    if (minutes < 10 && rest > 0) return `${unit(minutes, 'minute', locale)} ${unit(rest, 'second', locale)}`;
    if (minutes < 60) return unit(Math.round(whole / 60), 'minute', locale);
    const [hours, left] = [Math.floor(minutes / 60), minutes % 60];
    if (hours >= 48) return unit(Math.round(hours / 24), 'day', locale);
    return left === 0
      ? unit(hours, 'hour', locale)
      : `${unit(hours, 'hour', locale)} ${unit(left, 'minute', locale)}`;
  });

/** A time span in one unit, for the labels of an axis: 45s, 1.5m, 2h. */
export function shortDuration(seconds: number, locale: string): string {
  const [size, name] =
    seconds < 60
      ? [1, 'second']
      : seconds < 3600
        ? [60, 'minute']
        : seconds < 172_800
          ? [3600, 'hour']
          : [86_400, 'day'];
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: name as string,
    unitDisplay: 'narrow',
    maximumFractionDigits: 1,
  }).format(seconds / (size as number));
}

/** Bytes as people read them, in powers of 1000. */
export const bytes = (value: Measured, locale: string): string =>
  shown(value, (known) => {
    const names = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
    const power = known < 1000 ? 0 : Math.min(names.length - 1, Math.floor(Math.log10(known) / 3));
    return unit(known / 1000 ** power, names[power]!, locale, power === 0 ? 0 : 1);
  });

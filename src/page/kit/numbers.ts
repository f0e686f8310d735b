import { durationInWords } from '../../catalogue/words/duration.ts';

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

/** A time span, worded the same everywhere: 45 s, 3 min 20 s, 2 h 5 min. */
export const duration = (seconds: Measured, _locale: string): string => shown(seconds, durationInWords);

/** A time span in one unit, for the labels of an axis: 45 s, 1.5 min, 2 h. */
export function shortDuration(seconds: number, locale: string): string {
  const [size, name] =
    seconds < 60
      ? ([1, 's'] as const)
      : seconds < 3600
        ? ([60, 'min'] as const)
        : seconds < 172_800
          ? ([3600, 'h'] as const)
          : ([86_400, 'd'] as const);
  return `${number(seconds / size, locale)} ${name}`;
}

/** Bytes as people read them, in powers of 1000. */
export const bytes = (value: Measured, locale: string): string =>
  shown(value, (known) => {
    const names = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
    const power = known < 1000 ? 0 : Math.min(names.length - 1, Math.floor(Math.log10(known) / 3));
    return unit(known / 1000 ** power, names[power]!, locale, power === 0 ? 0 : 1);
  });

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** NaN of no values. */
export const mean = (values: readonly number[]): number => sum(values) / values.length;

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The mean of the values that are not null; null where there are none. @param digits not rounded without it */
export function meanOfKnown(values: readonly (number | null)[], digits?: number): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return digits === undefined ? mean(known) : rounded(mean(known), digits);
}

/** Null where the whole is 0. */
export const ratio = (part: number, whole: number, digits: number): number | null =>
  whole === 0 ? null : rounded(part / whole, digits);

/** A figure with so many digits and its unit; a dash where it is null. */
export const shown = (value: number | null, digits: number, unit = ''): string =>
  value === null ? '-' : `${value.toFixed(digits)}${unit && ` ${unit}`}`;

/** Adds up records of numbers, key by key. */
export const addUp = <Key extends string>(
  keys: readonly Key[],
  parts: readonly Readonly<Record<Key, number>>[],
): Record<Key, number> =>
  Object.fromEntries(keys.map((key) => [key, sum(parts.map((part) => part[key]))])) as Record<Key, number>;

/** The value below which this share of the values lies: the upper neighbour where it falls between two; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const at = Math.min(values.length - 1, Math.floor(share * values.length));
  return values.toSorted((a, b) => a - b)[at] ?? Number.NaN;
}

/** The upper one of the two middle values where their number is even; 0 of none. */
export const median = (values: readonly number[]): number => quantile(values, 0.5) || 0;

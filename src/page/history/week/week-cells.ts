import { POOR_COVERAGE_PERCENT } from '../../kit/chart/points.ts';

/** Values by weekday, Monday first, and hour of the day. */
export type Week<Value> = readonly (readonly Value[])[];

export interface Cell {
  readonly day: number;
  readonly hour: number;
  readonly value: number | null;
  /** How strong its colour is, 0 to LEVELS − 1; null without a value. */
  readonly level: number | null;
  readonly isPoor: boolean;
}

export const LEVELS = 6;

export interface CellTable {
  /** The hours from the first to the last in which something was measured; all if nothing was. */
  readonly hours: readonly number[];
  /** By weekday, then by the hours above. */
  readonly days: readonly (readonly Cell[])[];
}

/** The cells of a heat map. */
export function cellTable(values: Week<number | null>, coverage: Week<number>): CellTable {
  const largest = Math.max(0, ...values.flat().map((value) => value ?? 0));
  const isMeasured = (hour: number) => values.some((day) => (day[hour] ?? null) !== null);
  const all = Array.from({ length: 24 }, (_, hour) => hour);
  const first = all.findIndex(isMeasured);
  const last = all.findLastIndex(isMeasured);
  const hours = first < 0 ? all : all.slice(first, last + 1);
  const days = values.map((row, day) =>
    hours.map((hour) => {
      const value = row[hour] ?? null;
      return {
        ...{ day, hour, value },
        level: value === null ? null : levelOf(value, largest),
        isPoor: value !== null && (coverage[day]?.[hour] ?? 0) < POOR_COVERAGE_PERCENT,
      };
    }),
  );
  return { hours, days };
}

const levelOf = (value: number, largest: number): number =>
  largest <= 0 ? 0 : Math.min(LEVELS - 1, Math.max(0, Math.floor((value / largest) * LEVELS)));

/** Counts as counts per hour, so that cells with more hours can be compared with others. */
export const perHour = (values: Week<number | null>, hours: Week<number>): Week<number | null> =>
  values.map((row, day) =>
    row.map((value, hour) => {
      const length = hours[day]?.[hour] ?? 0;
      return value === null || length <= 0 ? null : value / length;
    }),
  );

/** Names of weekdays from Monday on, in a language. */
export function weekdayNames(locale: string, style: 'short' | 'long'): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' });
  // 2026-11-23 is a Monday.
  return Array.from({ length: 7 }, (_, day) => format.format(Date.UTC(2026, 10, 23 + day)));
}

/** Names of the hours of a day. */
export function hourNames(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC' });
  return Array.from({ length: 24 }, (_, hour) => format.format(Date.UTC(2026, 10, 23, hour)));
}

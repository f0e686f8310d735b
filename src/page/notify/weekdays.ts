import type { Window } from '../kit/form/schedule.ts';

export const NIGHT: Window = { days: [1, 2, 3, 4, 5, 6, 7], start: '22:00', end: '07:00' };

/** Days of the week, from Monday, as a locale names them. */
export function weekdayNames(locale: string, width: 'short' | 'long' = 'short'): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: width, timeZone: 'UTC' });
  // 2024 began with a Monday.
  return NIGHT.days.map((day) => format.format(Date.UTC(2024, 0, day)));
}

/** Days in words: `Mon–Fri, Sun`. Three days in a row and more become a range. */
export function daysInWords(days: readonly number[], names: readonly string[]): string {
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  const runs: [first: number, last: number][] = [];
  for (const day of sorted) {
    const run = runs.at(-1);
    if (run && run[1] === day - 1) run[1] = day;
    else runs.push([day, day]);
  }
  const name = (day: number) => names[day - 1] ?? String(day);
  return runs
    .flatMap(([first, last]) =>
      last - first < 2 ? [...new Set([first, last])].map(name) : [`${name(first)}–${name(last)}`],
    )
    .join(', ');
}

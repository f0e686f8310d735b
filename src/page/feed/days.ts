import { localDate } from '../kit/timezone/wall-clock.ts';

/** The day of a moment in a time zone, YYYY-MM-DD. */
export const dayOf = (at: string | Date, timezone: string): string =>
  localDate(timezone, new Date(at).getTime());

export interface Day<Item> {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly items: readonly [Item, ...Item[]];
}

/** Entries by day, in their order. @param dateOf the day of an entry, YYYY-MM-DD */
export function byDay<Item>(items: readonly Item[], dateOf: (item: Item) => string): Day<Item>[] {
  const days: { date: string; items: [Item, ...Item[]] }[] = [];
  for (const item of items) {
    const date = dateOf(item);
    const last = days.at(-1);
    if (last?.date === date) last.items.push(item);
    else days.push({ date, items: [item] });
  }
  return days;
}

/** Which of the days that people name by a word. Days are compared as dates: a day may have 23 or 25 hours. */
export function namedDay(date: string, now: Date, timezone: string): 'today' | 'yesterday' | null {
  const today = dayOf(now, timezone);
  if (date === today) return 'today';
  const before = new Date(`${today}T12:00:00Z`);
  before.setUTCDate(before.getUTCDate() - 1);
  return date === before.toISOString().slice(0, 10) ? 'yesterday' : null;
}

/** A date in words: `Saturday, 31 January`, with the year where it is another one. */
export function dateInWords(
  date: string,
  now: Date,
  { locale, timezone }: { locale: string; timezone: string },
): string {
  const isThisYear = date.slice(0, 4) === dayOf(now, timezone).slice(0, 4);
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${date}T12:00:00Z`));
}

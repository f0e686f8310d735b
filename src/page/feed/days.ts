const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes a thousand times as long as using it. */
function formatFor(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  // The calendar of the locale must not change the digits.
  const made = new Intl.DateTimeFormat('en-CA-u-ca-iso8601-nu-latn', { ...parts, timeZone: timezone });
  formats.set(timezone, made);
  return made;
}

/** The day of a moment in a time zone, YYYY-MM-DD. */
export function dayOf(at: string | Date, timezone: string): string {
  const parts = formatFor(timezone).formatToParts(new Date(at));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

export interface Day<Item> {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly items: readonly Item[];
}

/** Entries by day, in their order. @param dateOf the day of an entry, YYYY-MM-DD */
export function byDay<Item>(items: readonly Item[], dateOf: (item: Item) => string): Day<Item>[] {
  const days: { date: string; items: Item[] }[] = [];
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

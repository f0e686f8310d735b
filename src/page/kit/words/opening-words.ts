import { hoursOn, type OpeningHours, openSpans } from '../../../catalogue/hours/opening-hours.ts';
import type { Texts } from '../../text/en/all.ts';
import { clockSpans, DAY_MS, localDate } from '../timezone/wall-clock.ts';

type Words = Texts['schedule'];

/** The usual week: "Mon-Fri 09:00-20:00, Sat 09:00-18:00, Sun closed". */
export function weekInWords({ windows }: Pick<OpeningHours, 'windows'>, { days, hours }: Words): string {
  const usual = { windows, exceptions: [] };
  // 2026-11-23 is a Monday.
  const texts = days.map((_, at) => {
    const open = hoursOn(usual, `2026-11-${23 + at}`).windows;
    if (open.length === 0) return hours.closed;
    return [...open]
      .sort((one, other) => one.start.localeCompare(other.start))
      .map(({ start, end }) => (start === '00:00' && end === '00:00' ? hours.allDay : `${start}-${end}`))
      .join(', ');
  });
  const runs: { first: number; last: number }[] = [];
  for (const [at, text] of texts.entries()) {
    const run = runs.at(-1);
    if (run && texts[run.first] === text) run.last = at;
    else runs.push({ first: at, last: at });
  }
  return runs
    .map(
      ({ first, last }) => `${first === last ? days[first] : `${days[first]}-${days[last]}`} ${texts[first]}`,
    )
    .join('; ');
}

/** What a customer wants to know: until when it is open, or when it opens next; "closed" where it does not within a week. */
export function openInWords(
  openingHours: OpeningHours,
  { timezone, locale, nowMs }: { timezone: string; locale: string; nowMs: number },
  { hours }: Words,
): string {
  const open = openSpans(openingHours, clockSpans(timezone, nowMs - DAY_MS, nowMs + 8 * DAY_MS));
  const next = open.find(({ toMs }) => toMs > nowMs);
  const show = (ms: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, {
      timeZone: timezone,
      hour: '2-digit',
      minute: '2-digit',
      ...options,
    }).format(ms);
  if (!next) return hours.isShut;
  const isToday = localDate(timezone, next.fromMs) === localDate(timezone, nowMs);
  if (next.fromMs > nowMs) return hours.opensAt(show(next.fromMs, isToday ? {} : { weekday: 'long' }));
  return next.toMs - nowMs > DAY_MS ? hours.allDay : hours.openUntil(show(next.toMs, {}));
}

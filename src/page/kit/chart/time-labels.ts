import { zoneName } from '../time.ts';
import { isRepeated, localDate } from '../timezone/wall-clock.ts';

/** How times of a chart are written: in the time zone of the camera and the language of the reader. */
export interface TimeStyle {
  readonly timezone: string;
  readonly locale: string;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const formatted = ({ timezone, locale }: TimeStyle, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { timeZone: timezone, ...options });

const DATE = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

/**
 * A span in words: days without times where it consists of whole days, else the day and the times. A time that the clock
 * shows twice is told with its distance from UTC.
 */
export function spanLabel({ fromMs, toMs }: Span, style: TimeStyle): string {
  const { timezone } = style;
  const day = localDate(timezone, fromMs);
  const lastDay = localDate(timezone, toMs - 1);
  const isWholeDays = localDate(timezone, fromMs - 1) !== day && localDate(timezone, toMs) !== lastDay;
  if (isWholeDays) {
    const date = formatted(style, DATE);
    return day === lastDay ? date.format(fromMs) : date.formatRange(fromMs, toMs - 1);
  }
  if (isRepeated(timezone, fromMs) || isRepeated(timezone, toMs)) {
    const clock = formatted(style, { ...CLOCK, timeZoneName: 'shortOffset' });
    return `${formatted(style, DATE).format(fromMs)}, ${clock.format(fromMs)} – ${clock.format(toMs)}`;
  }
  if (day !== lastDay) return formatted(style, { ...DATE, ...CLOCK }).formatRange(fromMs, toMs);
  const clock = formatted(style, CLOCK);
  return `${formatted(style, DATE).format(fromMs)}, ${clock.format(fromMs)}–${clock.format(toMs)}`;
}

/** The name of a time zone for people, as "Berlin (GMT+1)". */
export function zoneLabel({ timezone, locale }: TimeStyle, ms: number): string {
  const offset = new Intl.DateTimeFormat(locale, { timeZone: timezone, timeZoneName: 'shortOffset' })
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const place = zoneName(timezone);
  return offset === undefined || offset === place ? place : `${place} (${offset})`;
}

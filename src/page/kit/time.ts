// Times come from the API in UTC. A screen shows them in the time zone of the device, never silently in the browser's.
import { offsetAt } from './timezone/wall-clock.ts';

type Instant = string | number | Date;

const FORMATS = {
  time: { hour: '2-digit', minute: '2-digit' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  dayTime: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  dateTime: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  weekday: { weekday: 'short' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

export type TimeStyle = keyof typeof FORMATS;

export interface TimeOptions {
  readonly locale: string;
  /** IANA time zone of the device. */
  readonly timezone: string;
}

const made = new Map<string, Intl.DateTimeFormat>();

/** A formatter is slow to make, so each is made once. */
function formatter(style: TimeStyle, { locale, timezone }: TimeOptions): Intl.DateTimeFormat {
  const key = `${style} ${locale} ${timezone}`;
  const kept =
    made.get(key) ??
    new Intl.DateTimeFormat(locale, { ...FORMATS[style], hourCycle: 'h23', timeZone: knownZone(timezone) });
  made.set(key, kept);
  return kept;
}

/** The zone, or UTC if this browser does not know it. */
export function knownZone(timezone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return timezone;
  } catch {
    return 'UTC';
  }
}

export const showTime = (at: Instant, style: TimeStyle, options: TimeOptions): string =>
  formatter(style, options).format(new Date(at));

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const offsetIn = (timezone: string, at: Instant): number =>
  offsetAt(knownZone(timezone), new Date(at).getTime());

/** Whether the clocks of two zones show the same time at this moment. */
export const sameClock = (at: Instant, one: string, other: string): boolean =>
  offsetIn(one, at) === offsetIn(other, at);

/** The name of a zone for people: "Berlin" for Europe/Berlin. */
export const zoneName = (timezone: string): string => timezone.replace(/.*\//, '').replaceAll('_', ' ');

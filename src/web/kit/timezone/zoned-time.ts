/**
 * Wall clocks of time zones. A wall clock is written as `2026-11-23T09:00:00`, without an offset: what a person reads on a
 * clock of the place. Days have 23 to 25 hours where clocks change.
 */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: timezone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  formats.set(timezone, format);
  return format;
}

/** @returns `2026-11-23T09:00:00`: what a clock of the zone shows at this instant */
export function wallClock(ms: number, timezone: string): string {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name)!;
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return `${date}T${part('hour')}:${part('minute')}:${part('second')}`;
}

const clockMs = (clock: string): number => Date.parse(`${clock}Z`);

/**
 * @param clock `2026-11-23T09:00` or `2026-11-23T09:00:00`
 * @returns when a clock of the zone shows this: the first time where it does so twice, and where clocks skip it, when they
 *   would have shown it without the change. NaN for a text that is no time
 */
export function instantOf(clock: string, timezone: string): number {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(clock)) return Number.NaN;
  const wanted = clockMs(clock);
  if (Number.isNaN(wanted)) return Number.NaN;
  const offsetAt = (ms: number): number => clockMs(wallClock(ms, timezone)) - ms;
  // No zone changes twice within two days, so the offset is the one of a day before or of a day after.
  const offsets = [offsetAt(wanted - DAY_MS), offsetAt(wanted + DAY_MS)];
  const found = offsets
    .map((offset) => wanted - offset)
    .filter((ms) => clockMs(wallClock(ms, timezone)) === wanted);
  return found.length > 0 ? Math.min(...found) : wanted - offsets[0]!;
}

const DAY_MS = 86_400_000;

/** @returns the date `2026-11-23` so many days later */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** @returns the date in the zone at this instant */
export const dateOf = (ms: number, timezone: string): string => wallClock(ms, timezone).slice(0, 10);

/** @returns when the day begins in the zone; where clocks skip midnight, the first instant of the day */
export const startOfDay = (date: string, timezone: string): number => instantOf(`${date}T00:00:00`, timezone);

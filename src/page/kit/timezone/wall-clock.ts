/** A span of time, `[fromMs, toMs)`, in which a time zone has one offset from UTC. */
export interface ClockSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

/** A local date, as `2026-11-23`. */
export type LocalDate = string;

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
    formats.set(timezone, format);
  }
  return format;
}

/** Milliseconds by which the clock on the wall is ahead of UTC. */
export function offsetAt(timezone: string, ms: number): number {
  const name = offsetFormat(timezone)
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const match = /^GMT([+-])(\d{2}):(\d{2})/.exec(name ?? '');
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * MINUTE_MS;
}

/** Splits `[fromMs, toMs)` at the moments at which the clocks of the time zone change. No zone changes them twice in a day. */
export function clockSpans(timezone: string, fromMs: number, toMs: number): ClockSpan[] {
  const spans: ClockSpan[] = [];
  let startMs = fromMs;
  let offsetMs = offsetAt(timezone, fromMs);
  for (let at = fromMs; at < toMs; at += DAY_MS) {
    const next = Math.min(toMs, at + DAY_MS);
    const nextOffset = offsetAt(timezone, next);
    if (nextOffset === offsetMs) continue;
    const changeMs = firstMinute(at, next, (ms) => offsetAt(timezone, ms) !== offsetMs);
    spans.push({ fromMs: startMs, toMs: changeMs, offsetMs });
    startMs = changeMs;
    offsetMs = nextOffset;
  }
  if (startMs < toMs || spans.length === 0) spans.push({ fromMs: startMs, toMs, offsetMs });
  return spans;
}

/** The first whole minute in `(low, high]` with the property; it holds at `high` and not at `low`. */
function firstMinute(low: number, high: number, holds: (ms: number) => boolean): number {
  let before = Math.floor(low / MINUTE_MS);
  let from = Math.ceil(high / MINUTE_MS);
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (holds(middle * MINUTE_MS)) from = middle;
    else before = middle;
  }
  return from * MINUTE_MS;
}

/**
 * What the clock on the wall shows at each moment, as the milliseconds that UTC would have to show it: read it with
 * `getUTC…`. @param moments in ascending order
 */
export function wallTimes(timezone: string, moments: readonly number[]): number[] {
  const [first, last] = [moments[0], moments.at(-1)];
  if (first === undefined || last === undefined) return [];
  return clockSpans(timezone, first, last + 1).flatMap(({ fromMs, toMs, offsetMs }) =>
    moments.filter((ms) => fromMs <= ms && ms < toMs).map((ms) => ms + offsetMs),
  );
}

export const wallTime = (timezone: string, ms: number): number => ms + offsetAt(timezone, ms);

/** The moment at which the clock on the wall first shows a time; where it skips that time, the moment after. */
export function momentOf(timezone: string, wallMs: number): number {
  const spans = clockSpans(timezone, wallMs - 1.5 * DAY_MS, wallMs + 1.5 * DAY_MS);
  for (const { fromMs, toMs, offsetMs } of spans) {
    const ms = wallMs - offsetMs;
    if (ms < toMs) return Math.max(ms, fromMs);
  }
  return wallMs - spans.at(-1)!.offsetMs;
}

/** @returns `2026-11-23T09:00:00`: what the clock on the wall shows at this moment, without an offset */
export const wallClock = (timezone: string, ms: number): string =>
  new Date(wallTime(timezone, ms)).toISOString().slice(0, 19);

/**
 * @param clock `2026-11-23T09:00` or `2026-11-23T09:00:00`
 * @returns the moment at which the clock on the wall first shows this; where it skips this time, when it would have shown it
 *   without the change. NaN for a text that is no time
 */
export function instantOf(timezone: string, clock: string): number {
  const wallMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(clock)
    ? Date.parse(`${clock}Z`)
    : Number.NaN;
  if (Number.isNaN(wallMs)) return Number.NaN;
  const ms = momentOf(timezone, wallMs);
  return wallTime(timezone, ms) === wallMs ? ms : wallMs - offsetAt(timezone, ms - 1);
}

/** Whether the clock on the wall shows the time of this moment twice. */
export function isRepeated(timezone: string, ms: number): boolean {
  const wallMs = wallTime(timezone, ms);
  return [ms - DAY_MS, ms + DAY_MS].some((near) => {
    const other = wallMs - offsetAt(timezone, near);
    return other !== ms && wallTime(timezone, other) === wallMs;
  });
}

const wallDate = (wallMs: number): LocalDate => new Date(wallMs).toISOString().slice(0, 10);

export const localDate = (timezone: string, ms: number): LocalDate => wallDate(wallTime(timezone, ms));

/** @returns undefined for a text that is no date of the calendar */
export function parseDate(text: string): LocalDate | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) || wallDate(ms) !== text ? undefined : text;
}

export const addDays = (date: LocalDate, days: number): LocalDate =>
  wallDate(Date.parse(date) + days * DAY_MS);

/** The first moment of a local day. */
export const startOfDay = (timezone: string, date: LocalDate): number => momentOf(timezone, Date.parse(date));

import { DateTime, IANAZone } from 'luxon';

/** A span of time, `[fromMs, toMs)`, in which a time zone has one offset from UTC. */
export interface ClockSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

/** A moment by the clock on the wall. @throws RangeError for an unknown time zone */
export function localMoment(ms: number, timezone: string): DateTime<true> {
  const moment = DateTime.fromMillis(ms, { zone: timezone });
  if (!moment.isValid) throw new RangeError(`${timezone} has no time for ${ms}.`);
  return moment;
}

const DAY_MS = 86_400_000;
/** Offsets are compared once a day, in very long ranges once a week: no zone changes its clock twice in between. */
const LONG_RANGE_MS = 1_500 * DAY_MS;

/** Splits `[fromMs, toMs)` at the moments at which the clocks of the time zone change. */
export function clockSpans(timezone: string, fromMs: number, toMs: number): ClockSpan[] {
  const zone = IANAZone.create(timezone);
  const offsetAt = (ms: number) => Math.round(zone.offset(ms) * 60_000);
  const stepMs = toMs - fromMs > LONG_RANGE_MS ? 7 * DAY_MS : DAY_MS;
  const spans: ClockSpan[] = [];
  let startMs = fromMs;
  let offsetMs = offsetAt(fromMs);
  for (let at = fromMs; at < toMs; ) {
    const next = Math.min(toMs, at + stepMs);
    const nextOffset = offsetAt(next);
    if (nextOffset !== offsetMs) {
      const changeMs = firstWith(at, next, (ms) => offsetAt(ms) !== offsetMs);
      spans.push({ fromMs: startMs, toMs: changeMs, offsetMs });
      startMs = changeMs;
      offsetMs = nextOffset;
    }
    at = next;
  }
  if (startMs < toMs) spans.push({ fromMs: startMs, toMs, offsetMs });
  return spans;
}

/** The first whole second in `(low, high]` with the property; it holds at `high` and not at `low`. */
function firstWith(low: number, high: number, holds: (ms: number) => boolean): number {
  let before = Math.floor(low / 1000);
  let from = Math.ceil(high / 1000);
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (holds(middle * 1000)) from = middle;
    else before = middle;
  }
  return from * 1000;
}

import { showTime, type TimeOptions } from '../time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a chart writes below its time axis: at which moments, and which words. */
export interface Ticks {
  readonly at: readonly number[];
  readonly labels: readonly string[];
}

/**
 * Ticks at the beginnings of the server's buckets, which begin at whole hours and days of the device's zone, so that the
 * axis is right also on days with 23 or 25 hours.
 * @param starts beginnings of the buckets, milliseconds
 * @param most so many labels fit
 */
export function ticksOf(starts: readonly number[], most: number, options: TimeOptions): Ticks {
  if (starts.length === 0) return { at: [], labels: [] };
  const spanMs = starts.at(-1)! - starts[0]!;
  const isByDay = spanMs > 2 * DAY_MS;
  const style = isByDay ? 'day' : spanMs > DAY_MS ? 'dayTime' : 'time';
  const clock = (ms: number) => showTime(ms, 'time', options);
  // Labels at round times where there are enough of them, else at every n-th bucket.
  const round = starts.filter((ms) => (isByDay ? clock(ms) === '00:00' : clock(ms).endsWith(':00')));
  const chosen = round.length >= 2 ? round : starts;
  const step = Math.max(1, Math.ceil(chosen.length / most));
  const at = chosen.filter((_, index) => index % step === 0);
  return { at, labels: at.map((ms) => showTime(ms, style, options)) };
}

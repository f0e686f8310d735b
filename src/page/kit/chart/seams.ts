import { addDays, localDate } from '../timezone/wall-clock.ts';
import type { Bucket, Seam } from './points.ts';

interface Style {
  readonly timezone: string;
  readonly locale: string;
  readonly closed: string;
  readonly closedDay: (day: string) => string;
}

/** Where closed times are left out between two buckets, with the whole days among them; and closed buckets. */
export function seamsOf(
  buckets: readonly Bucket[],
  drawn: readonly Bucket[],
  { timezone, locale, closed, closedDay }: Style,
): Seam[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  return buckets.flatMap(({ fromMs, isClosed }, at): Seam[] => {
    const { fromMs: drawnMs, toMs: drawnToMs } = drawn[at]!;
    if (isClosed) return [{ ms: (drawnMs + drawnToMs) / 2, label: closed }];
    const before = buckets[at - 1];
    if (!before || before.toMs >= fromMs) return [];
    const days: string[] = [];
    const next = localDate(timezone, fromMs);
    for (let day = addDays(localDate(timezone, before.toMs - 1), 1); day < next; day = addDays(day, 1))
      days.push(format.format(Date.parse(day)));
    const name = days.length > 1 ? `${days[0]}-${days.at(-1)}` : days[0];
    return [{ ms: drawnMs, label: name === undefined ? '' : closedDay(name) }];
  });
}

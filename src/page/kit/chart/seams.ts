import { addDays, localDate } from '../timezone/wall-clock.ts';
import { type Bucket, middleOf, type Seam } from './points.ts';

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
    const [before, place] = [buckets[at - 1], drawn[at]];
    if (place && isClosed) return [{ ms: middleOf(place), label: closed }];
    if (!place || !before || before.toMs >= fromMs) return [];
    const days: string[] = [];
    const next = localDate(timezone, fromMs);
    for (let day = addDays(localDate(timezone, before.toMs - 1), 1); day < next; day = addDays(day, 1))
      days.push(format.format(Date.parse(day)));
    const name = days.length > 1 ? `${days[0]}-${days.at(-1)}` : days[0];
    return [{ ms: place.fromMs, label: name === undefined ? '' : closedDay(name) }];
  });
}

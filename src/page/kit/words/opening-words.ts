import { hoursOn, type OpeningHours } from '../../../catalogue/hours/opening-hours.ts';
import type { Texts } from '../../text/en/all.ts';

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

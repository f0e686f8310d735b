import type { Report } from '../read-report.ts';
import type { Formats } from './formats.ts';

/** What happened, in two or three sentences. */
export function headlineOf(
  { summary: { current, previous }, change }: Report,
  { words, ...formats }: Formats,
): string {
  const { headline } = words;
  if (current.arrivals === null && current.completed === null) return headline.nothing;
  const percent = change?.arrivals.percent;
  const compared =
    previous.arrivals === null || percent == null
      ? null
      : Math.round(percent) === 0
        ? headline.same
        : headline[percent > 0 ? 'more' : 'fewer'](formats.share(Math.round(Math.abs(percent)) / 100));
  const arrived = `${headline.arrived(formats.count(current.arrivals))}${compared ? `, ${compared}` : ''}.`;
  const { p50WaitSeconds, p90WaitSeconds, abandonmentRate } = current;
  return [
    arrived,
    p50WaitSeconds === null
      ? null
      : headline.waited(formats.duration(p50WaitSeconds), formats.duration(p90WaitSeconds)),
    abandonmentRate === null ? null : headline.gaveUp(formats.share(abandonmentRate)),
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

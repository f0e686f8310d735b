import { count, duration, percent } from '../kit/numbers.ts';
import type { Texts } from '../text/en/all.ts';
import type { Totals } from './totals.ts';
import type { Comparison } from './view.ts';

interface Told {
  readonly totals: Pick<Totals, 'arrivals' | 'abandonmentRate'>;
  readonly waits: { readonly p50Seconds: number | null; readonly p90Seconds: number | null };
  /** Of the arrivals, in percent; null where it says nothing. */
  readonly change: number | null;
  readonly compare: Comparison;
  /** Whether the range goes on. */
  readonly isSoFar: boolean;
}

/** What happened, in two or three sentences, as a mailed report begins. */
export function leadOf(
  { totals, waits, change, compare, isSoFar }: Told,
  { lead, leadBefore }: Pick<Texts['history'], 'lead' | 'leadBefore'>,
  locale: string,
): string {
  const { arrivals, abandonmentRate } = totals;
  const { p50Seconds, p90Seconds } = waits;
  const before = leadBefore[compare];
  const rounded = change === null ? null : Math.round(change);
  const compared =
    rounded === null
      ? ''
      : `, ${rounded === 0 ? lead.same(before) : lead[rounded > 0 ? 'more' : 'fewer'](percent(Math.abs(rounded) / 100, locale), before)}`;
  return [
    arrivals !== null && `${lead.arrived(count(arrivals, locale), arrivals === 1, isSoFar)}${compared}.`,
    p50Seconds !== null && lead.waited(duration(p50Seconds, locale), duration(p90Seconds, locale)),
    abandonmentRate !== null && lead.gaveUp(percent(abandonmentRate, locale, 1)),
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

import { DateTime } from 'luxon';
import type { MetricUnit } from '../../../catalogue/metrics/metric.ts';
import { durationInWords } from '../../../catalogue/words/duration.ts';
import type { Change } from '../numbers.ts';
import type { Period, PeriodKind } from '../period.ts';
import { EN } from './english.ts';
import { DE } from './german.ts';
import type { Words } from './words.ts';

/** What stands where nothing was measured. */
export const NOTHING = '–';

/** Numbers, dates and times as the reader writes them. */
export interface Formats {
  readonly words: Words;
  /** A number in its unit. */
  number(unit: MetricUnit, value: number | null): string;
  /** Language tag of the document. */
  readonly locale: string;
  count(value: number | null): string;
  /** @param value 0-1 */
  share(value: number | null): string;
  /** @param value 0-100 */
  percent(value: number | null): string;
  /** With its sign; null where there is nothing to compare. */
  change(change: Change | undefined): string | null;
  /** Like 4 min 10 s. */
  duration(seconds: number | null): string;
  /** The same as minutes and seconds without a unit, for columns. */
  minutes(seconds: number | null): string;
  /** Like Monday, 23 November 2026; of a week like Week 48, 23 – 29 November 2026. */
  period(kind: PeriodKind, period: Period): string;
  /** The same with few letters. */
  shortPeriod(kind: PeriodKind, period: Period): string;
  /** Like 09:00; with the name of the offset where the clock repeats the hour. */
  time(ms: number, isRepeated?: boolean): string;
  weekday(ms: number): string;
  /** Like Mon 23. */
  day(ms: number): string;
}

/** @param locale language that the reader prefers (BCP 47); English where there are no texts in it */
export function formatsFor(locale: string | null, timeZone: string): Formats {
  const words = locale?.toLowerCase().split('-')[0] === 'de' ? DE : EN;
  // English without a region has dates of the United States, and hours of two times twelve.
  const tag =
    locale === null || !locale.toLowerCase().startsWith(words.language) || locale === 'en'
      ? DEFAULT[words.language]
      : locale;
  const number = new Intl.NumberFormat(tag);
  const share = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const whole = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 });
  const signed = new Intl.NumberFormat(tag, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { timeZone, ...options });
  const longDay = date({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const shortDay = date({ weekday: 'short', day: 'numeric', month: 'short' });
  const span = date({ day: 'numeric', month: 'long', year: 'numeric' });
  const clock = date({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const zoned = date({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'shortOffset' });
  const weekday = date({ weekday: 'short' });
  const day = date({ weekday: 'short', day: 'numeric' });
  const weekOf = ({ fromMs }: Period) =>
    words.week(DateTime.fromMillis(fromMs, { zone: timeZone }).weekNumber);
  const lastMoment = ({ toMs }: Period) => toMs - 1;
  const formats: Omit<Formats, 'number'> = {
    words,
    locale: tag,
    count: (value) => (value === null ? NOTHING : number.format(value)),
    share: (value) => (value === null ? NOTHING : share.format(value)),
    // A little less than everything is not 100 %, and a little is not 0 %.
    percent: (value) =>
      value === null
        ? NOTHING
        : whole.format(Math.min(value >= 100 ? 1 : 0.99, Math.max(value > 0 ? 0.01 : 0, value / 100))),
    change: (change) => (change?.percent == null ? null : signed.format(change.percent / 100)),
    duration: (seconds) => (seconds === null ? NOTHING : durationInWords(seconds)),
    minutes: (seconds) => (seconds === null ? NOTHING : minutesOf(seconds)),
    period: (kind, period) =>
      kind === 'day'
        ? longDay.format(period.fromMs)
        : `${weekOf(period)}, ${span.formatRange(period.fromMs, lastMoment(period))}`,
    shortPeriod: (kind, period) => (kind === 'day' ? shortDay.format(period.fromMs) : weekOf(period)),
    time: (ms, isRepeated = false) => (isRepeated ? zoned : clock).format(ms),
    weekday: (ms) => weekday.format(ms),
    day: (ms) => day.format(ms),
  };
  const ofUnit: Readonly<Record<MetricUnit, (value: number | null) => string>> = {
    count: formats.count,
    perHour: formats.count,
    seconds: formats.duration,
    share: formats.share,
    percent: formats.percent,
  };
  return { ...formats, number: (unit, value) => ofUnit[unit](value) };
}

const DEFAULT = { de: 'de', en: 'en-GB' } as const;

const two = (value: number): string => String(value).padStart(2, '0');

/** Like 4:10; of hours too. */
function minutesOf(seconds: number): string {
  const all = Math.round(seconds);
  return `${Math.floor(all / 60)}:${two(all % 60)}`;
}

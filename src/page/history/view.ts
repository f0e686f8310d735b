import {
  addDays,
  DAY_MS,
  type LocalDate,
  localDate,
  momentOf,
  parseDate,
  startOfDay,
  wallTime,
} from '../kit/timezone/wall-clock.ts';

/** What a view of the history is about. */
export interface Subject {
  readonly kind: 'scene' | 'site';
  readonly id: string;
}

export const TABS = ['curves', 'week', 'times', 'tills', 'visits', 'places'] as const;
export type Tab = (typeof TABS)[number];

/** The charts of the trend, one at a time. */
export const CHARTS = ['queue', 'wait', 'flow', 'gaveUp', 'level', 'service'] as const;
export type ChartName = (typeof CHARTS)[number];

/** Lengths of ranges in days. */
export const LENGTHS = [1, 7, 30] as const;
export type Length = (typeof LENGTHS)[number];

/** What curves are compared with: so many days before. 0: with nothing. */
export const COMPARISONS = [0, 7, 28] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const OUTCOMES = ['completed', 'abandoned', 'lost'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const BUCKETS = ['1m', '5m', '15m', '30m', '1h', '3h', '6h', '1d'] as const;
export type BucketName = (typeof BUCKETS)[number];

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Everything that an address says, so that a link opens the same view again. */
export interface View {
  readonly tab: Tab;
  readonly chart: ChartName;
  readonly length: Length;
  /** The last day of the range; undefined for today. */
  readonly lastDay: LocalDate | undefined;
  /** A part that was chosen in a chart, instead of whole days. */
  readonly span: Span | undefined;
  readonly compare: Comparison;
  /** Undefined for the one that fits the range. */
  readonly bucket: BucketName | undefined;
  readonly metric: string | undefined;
  readonly outcome: Outcome | undefined;
}

const oneOf = <Value extends string | number>(
  values: readonly Value[],
  text: string | null,
): Value | undefined => values.find((value) => String(value) === text);

/** Years for which the API answers. */
const EARLIEST_MS = Date.UTC(2000, 0, 2);
const LATEST_MS = Date.UTC(2999, 11, 30);
const isKnownTime = (ms: number) => ms >= EARLIEST_MS && ms <= LATEST_MS;

function spanOf(query: URLSearchParams): Span | undefined {
  const fromMs = Date.parse(query.get('from') ?? '');
  const toMs = Date.parse(query.get('until') ?? '');
  return isKnownTime(fromMs) && isKnownTime(toMs) && fromMs < toMs ? { fromMs, toMs } : undefined;
}

function dayOf(text: string | null): LocalDate | undefined {
  const date = parseDate(text ?? '');
  return date !== undefined && isKnownTime(Date.parse(date)) ? date : undefined;
}

/** Reads the query of an address. What it does not understand is as if it were not there. */
export function parseView(text: string): View {
  const query = new URLSearchParams(text);
  return {
    tab: oneOf(TABS, query.get('tab')) ?? 'curves',
    chart: oneOf(CHARTS, query.get('chart')) ?? 'queue',
    length: oneOf(LENGTHS, query.get('days')) ?? 1,
    lastDay: dayOf(query.get('to')),
    span: spanOf(query),
    compare: oneOf(COMPARISONS, query.get('compare')) ?? 7,
    bucket: oneOf(BUCKETS, query.get('bucket')),
    metric: query.get('metric')?.slice(0, 40) || undefined,
    outcome: oneOf(OUTCOMES, query.get('outcome')),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** The query of a view; what is usual is left out. */
export function viewQuery(view: View): string {
  const query = new URLSearchParams();
  if (view.tab !== 'curves') query.set('tab', view.tab);
  if (view.chart !== 'queue') query.set('chart', view.chart);
  if (view.length !== 1) query.set('days', String(view.length));
  if (view.lastDay) query.set('to', view.lastDay);
  if (view.span) {
    query.set('from', iso(view.span.fromMs));
    query.set('until', iso(view.span.toMs));
  }
  if (view.compare !== 7) query.set('compare', String(view.compare));
  if (view.bucket) query.set('bucket', view.bucket);
  if (view.metric) query.set('metric', view.metric);
  if (view.outcome) query.set('outcome', view.outcome);
  return query.toString();
}

export const placeOf = ({ kind, id }: Subject, view: View): string => {
  const query = viewQuery(view);
  return `/history/${kind}s/${id}${query ? `?${query}` : ''}`;
};

export interface Range extends Span {
  readonly firstDay: LocalDate;
  readonly lastDay: LocalDate;
}

/** The range of a view: whole local days, until the end of the last one, or the part that was chosen. */
export function rangeOf(
  { length, lastDay, span }: Pick<View, 'length' | 'lastDay' | 'span'>,
  timezone: string,
  nowMs: number,
): Range {
  if (span) {
    return {
      ...span,
      firstDay: localDate(timezone, span.fromMs),
      lastDay: localDate(timezone, span.toMs - 1),
    };
  }
  const last = lastDay ?? localDate(timezone, nowMs);
  const first = addDays(last, 1 - length);
  return {
    fromMs: startOfDay(timezone, first),
    toMs: startOfDay(timezone, addDays(last, 1)),
    firstDay: first,
    lastDay: last,
  };
}

/** The whole days around a part of them, instead of the part. */
export const wholeDays = ({ lastDay }: Range, today: LocalDate): Partial<View> => ({
  ...{ span: undefined, bucket: undefined },
  lastDay: lastDay < today ? lastDay : undefined,
});

/** The same part of earlier days, by the clock on the wall. */
export function earlierSpan({ fromMs, toMs }: Span, timezone: string, days: number): Span {
  return { fromMs: movedBack(fromMs, timezone, days), toMs: movedBack(toMs, timezone, days) };
}

const movedBack = (ms: number, timezone: string, days: number): number =>
  momentOf(timezone, wallTime(timezone, ms) - days * DAY_MS);

/** The view one range earlier or later; today is not passed. */
export function moved(view: View, direction: -1 | 1, today: LocalDate): View {
  const lastDay = addDays(view.lastDay ?? today, direction * view.length);
  return { ...view, span: undefined, lastDay: lastDay >= today ? undefined : lastDay };
}

const BUCKET_MINUTES: Readonly<Record<BucketName, number>> = {
  ...{ '1m': 1, '5m': 5, '15m': 15, '30m': 30, '1h': 60, '3h': 180, '6h': 360, '1d': 1440 },
};
const MOST_POINTS = 800;
const USUAL_POINTS = 250;

/** The buckets that give a curve: at least four points, and not more than a screen can show. */
export function bucketsFor({ fromMs, toMs }: Span): BucketName[] {
  const minutes = (toMs - fromMs) / 60_000;
  const fitting = BUCKETS.filter((bucket) => {
    const points = minutes / BUCKET_MINUTES[bucket];
    return points >= 4 && points <= MOST_POINTS;
  });
  if (fitting.length > 0) return fitting;
  return [minutes < 10 ? '1m' : '1d'];
}

/** A phone has no room for the hours of several days: it shows the days, and a tap opens the hours of one. */
export const phoneBucket = ({ length, span }: Pick<View, 'length' | 'span'>): BucketName | undefined =>
  length > 1 && !span ? '1d' : undefined;

/** The bucket of a view: the chosen one where it fits, else the shortest that gives a calm curve. */
export function bucketFor(span: Span, chosen: BucketName | undefined): BucketName {
  const fitting = bucketsFor(span);
  if (chosen && fitting.includes(chosen)) return chosen;
  const minutes = (span.toMs - span.fromMs) / 60_000;
  return fitting.find((bucket) => minutes / BUCKET_MINUTES[bucket] <= USUAL_POINTS) ?? fitting.at(-1)!;
}

/** The range of a heat map: at least four weeks, so that each weekday is there several times. */
export const weekRange = ({ toMs, fromMs }: Span): Span => ({
  fromMs: Math.min(fromMs, toMs - 28 * DAY_MS),
  toMs,
});

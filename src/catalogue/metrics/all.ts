import type { NoWait } from '../waits/wait-words.ts';
import { CURRENT_METRICS } from './current-metrics.ts';
import { ENDED_METRICS } from './ended-metrics.ts';
import type { CurrentMetric, Kept, TimeMetric } from './metric.ts';
import { HISTORY_METRICS, WINDOW_METRICS } from './window-metrics.ts';

/** The rolling windows: name in metric paths, window type of stored records, length. */
export const WINDOWS = [
  { name: 'rolling5Min', windowType: '5min', lengthMs: 5 * 60_000 },
  { name: 'rolling15Min', windowType: '15min', lengthMs: 15 * 60_000 },
  { name: 'rolling30Min', windowType: '30min', lengthMs: 30 * 60_000 },
  { name: 'rolling60Min', windowType: '60min', lengthMs: 60 * 60_000 },
] as const;
export const LONGEST_WINDOW_MS = 60 * 60_000;
export type WindowName = (typeof WINDOWS)[number]['name'];
export type WindowType = (typeof WINDOWS)[number]['windowType'] | 'total';
/** The groups of metrics, as the first part of their paths. */
export type GroupName = 'current' | WindowName | 'total';

/** The metrics of each group, in the order of the answers. */
export const CURRENT: readonly CurrentMetric[] = CURRENT_METRICS;
export const TOTAL: readonly (TimeMetric & Kept)[] = ENDED_METRICS;
export const ROLLING: readonly (TimeMetric & Kept)[] = [...ENDED_METRICS, ...WINDOW_METRICS];
/** All numbers of a time. */
const OF_TIMES: readonly TimeMetric[] = [...HISTORY_METRICS, ...ROLLING];

/** A number of history: the columns of a series. */
export type HistoryMetric = TimeMetric & Required<Pick<TimeMetric, 'history'>>;
/** A number of reports. */
export type ReportMetric = TimeMetric & Required<Pick<TimeMetric, 'report'>>;

/** What programs know comes first; what is in reports alone has no column. */
const columnOf = ({ history }: TimeMetric): number =>
  history ? (history.column ?? Number.POSITIVE_INFINITY) : Number.MAX_VALUE;
const byColumn = (a: TimeMetric, b: TimeMetric): number =>
  columnOf(a) === columnOf(b) ? 0 : columnOf(a) - columnOf(b);

/** In the order of the answers. */
export const IN_HISTORY: readonly HistoryMetric[] = OF_TIMES.filter(
  (metric): metric is HistoryMetric => metric.history !== undefined,
).sort(byColumn);
export const IN_REPORTS: readonly ReportMetric[] = OF_TIMES.filter(
  (metric): metric is ReportMetric => metric.report !== undefined,
).sort(byColumn);

type OfTime = (typeof ENDED_METRICS | typeof WINDOW_METRICS | typeof HISTORY_METRICS)[number];
export type HistoryName = Extract<OfTime, { history: unknown }>['history']['name'];
export type ReportName = Extract<OfTime, { report: unknown }>['report']['name'];
export type ComparedName = Extract<OfTime, { report: { change: string } }>['report']['name'];

type NumberOf<Entry> = Entry extends { isAlways: true } ? number : number | null;
type NameIn<Entry extends { name: string }, Group extends string> = Entry['name'] extends infer Name
  ? Name extends `${Group}.${infer Last}`
    ? Last
    : never
  : never;
/** The numbers of entries, nested by the dots of their names. */
export type Nested<Entry extends { name: string }> = {
  readonly [First in Entry['name'] extends infer Name
    ? Name extends `${infer Group}.${string}`
      ? Group
      : Name & string
    : never]: First extends Entry['name']
    ? NumberOf<Extract<Entry, { name: First }>>
    : {
        readonly [Last in NameIn<Entry, First>]: NumberOf<Extract<Entry, { name: `${First}.${Last}` }>>;
      };
};

/** Metrics of the open visits whose zones are confirmed. */
export type CurrentNumbers = Nested<(typeof CURRENT_METRICS)[number]>;
export type CurrentMetrics = CurrentNumbers & {
  /** Why there is no estimated wait; null where there is one, or no queue zone. Several scenes together have none. */
  readonly estimatedWaitReason?: NoWait | null;
};
export type TotalMetrics = Nested<(typeof ENDED_METRICS)[number]>;
export type WindowMetrics = TotalMetrics & Nested<(typeof WINDOW_METRICS)[number]>;

/**
 * The metrics of a scene, with the names of the metric paths. A metric that the zones cannot measure is null, counts
 * too. Otherwise counts are 0 where nothing happened, and all other metrics are null where nothing was measured.
 * Seconds are rounded to milliseconds.
 */
export type Metrics = { readonly current: CurrentMetrics } & Readonly<Record<WindowName, WindowMetrics>> & {
    readonly total: TotalMetrics;
  };

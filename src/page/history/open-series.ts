import type { Resource } from '../../client/client.ts';

type Series = Resource<'MetricSeries'>;

/** A series whose closed times are left out. */
export type OpenSeries = Series & { readonly ends?: readonly string[] };

/** Leaves closed buckets out. Whole days stay: their column says that they are closed. */
export function withoutClosed(series: Series): OpenSeries {
  const { openPercent, t, to, bucket } = series;
  if (!openPercent || ['1d', '1w', '1mo'].includes(bucket)) return series;
  const shown = t.flatMap((_, at) => (openPercent[at] === 0 ? [] : [at]));
  if (shown.length === t.length) return series;
  /** The columns of the series, and those of what is usual in it. */
  const picked = (value: unknown): unknown => {
    if (Array.isArray(value)) return shown.map((at) => value[at]);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, picked(inner)]));
  };
  const unfinished = shown.indexOf(series.unfinishedIndex ?? -1);
  return {
    ...(picked(series) as Series),
    ends: shown.map((at) => t[at + 1] ?? to),
    unfinishedIndex: unfinished < 0 ? null : unfinished,
  };
}

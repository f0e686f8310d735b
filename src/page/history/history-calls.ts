import type { Resource } from '../../client/client.ts';
import { api } from '../api/client.ts';
import { asCsv } from '../api/use-download.ts';
import { EDGES } from './equal-bins.ts';
import type { Outcome, Span, Subject } from './view.ts';

export type Series = Resource<'MetricSeries'>;
export type Heatmap = Resource<'MetricHeatmap'>;
export type Distribution = Resource<'Distribution'>;
export type Durations = Resource<'Durations'>;
export type Visit = Resource<'Visit'>;

export interface SeriesQuery extends Span {
  readonly bucket: string;
  readonly timezone: string;
  readonly usual?: true;
}

/** A range as the API takes it. Keys of queries have it too, so that the same range is read once. */
export const inTimes = ({ fromMs, toMs }: Span) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});

const seriesParams = (id: string, { bucket, timezone, usual, ...span }: SeriesQuery) => ({
  path: { id },
  query: { ...inTimes(span), bucket: bucket as Series['bucket'], timezone, ...(usual && { usual }) },
});

export function readSeries({ kind, id }: Subject, query: SeriesQuery) {
  const params = seriesParams(id, query);
  return kind === 'scene'
    ? api.GET('/analytics/scenes/{id}/series', { params })
    : api.GET('/analytics/sites/{id}/series', { params });
}

export function seriesCsv({ kind, id }: Subject, query: SeriesQuery) {
  const params = seriesParams(id, query);
  return kind === 'scene'
    ? api.GET('/analytics/scenes/{id}/series', asCsv(params))
    : api.GET('/analytics/sites/{id}/series', asCsv(params));
}

export function readHeatmap({ kind, id }: Subject, span: Span, timezone: string) {
  const params = { path: { id }, query: { ...inTimes(span), timezone } };
  return kind === 'scene'
    ? api.GET('/analytics/scenes/{id}/heatmap', { params })
    : api.GET('/analytics/sites/{id}/heatmap', { params });
}

export function readDistribution({ kind, id }: Subject, span: Span) {
  const params = { path: { id }, query: { ...inTimes(span), edgeSeconds: EDGES.join(',') } };
  return kind === 'scene'
    ? api.GET('/analytics/scenes/{id}/distribution', { params })
    : api.GET('/analytics/sites/{id}/distribution', { params });
}

const visitFilter = ({ kind, id }: Subject, span: Span, outcome: Outcome | undefined) => ({
  ...inTimes(span),
  ...(kind === 'scene' ? { sceneId: id } : { siteId: id }),
  ...(outcome && { outcome }),
});

export const listVisits = (subject: Subject, span: Span, outcome: Outcome | undefined, page: number) =>
  api.GET('/visits', { params: { query: { ...visitFilter(subject, span, outcome), page, limit: 50 } } });

export const visitsCsv = (subject: Subject, span: Span, outcome: Outcome | undefined) =>
  api.GET('/visits', asCsv({ query: visitFilter(subject, span, outcome) }));

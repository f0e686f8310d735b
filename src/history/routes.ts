import { type ApiError, invalidField, orNotFound } from '../http/errors.ts';
import { idParams } from '../http/fields.ts';
import { route } from '../http/route.ts';
import type { Context } from '../platform/context.ts';
import type { Bucket } from './buckets.ts';
import { presentSeries } from './present.ts';
import { readSeries, type Series } from './read-series.ts';
import { series, seriesQuery, seriesRow } from './schema.ts';
import { findSceneScope, type HistoryScope } from './scope.store.ts';

const HOUR_MS = 3_600_000;

interface RangeQuery {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly timezone?: string | undefined;
}

/** @throws ApiError NOT_FOUND */
const requireScene = async ({ db }: Context, userId: string, sceneId: string): Promise<HistoryScope> =>
  orNotFound(await findSceneScope(db, userId, sceneId), 'Scene');

/**
 * The range of a query, `to` being now where the caller names none.
 * @throws ApiError INVALID_DATE_RANGE when the range starts after now and has no end
 */
function rangeOf(
  { clock }: Context,
  query: RangeQuery,
  { timezone, lengthMs }: { timezone: string; lengthMs: number },
) {
  const toMs = (query.to ?? clock.now()).getTime();
  const fromMs = query.from?.getTime() ?? toMs - lengthMs;
  if (fromMs >= toMs) throw startsLate(toMs);
  return { fromMs, toMs, timezone: query.timezone ?? timezone };
}

const startsLate = (nowMs: number): ApiError =>
  invalidField(
    'from',
    `must lie before now, ${new Date(nowMs).toISOString()}, unless to is given`,
    'INVALID_DATE_RANGE',
  );

const seriesOf = (
  context: Context,
  scope: HistoryScope,
  query: RangeQuery & { readonly bucket?: Bucket | undefined },
): Promise<Series> => {
  const range = rangeOf(context, query, { timezone: scope.timezone, lengthMs: 24 * HOUR_MS });
  return readSeries(context, scope, { ...range, bucket: query.bucket });
};

const SERIES_DESCRIPTION =
  'Every bucket that the range touches counts as a whole. Buckets are cut in the time zone: a day may have 23 or 25 hours, and an hour that the clock repeats is two buckets. At most 1,500 buckets.';

export const historyRoutes = [
  route({
    method: 'get',
    path: '/analytics/scenes/{id}/series',
    name: 'getSceneSeries',
    scope: 'analytics:read',
    summary: 'Read the metrics of a scene over time',
    description: SERIES_DESCRIPTION,
    params: idParams,
    query: seriesQuery,
    response: series,
    csvRow: seriesRow,
    errors: ['INVALID_DATE_RANGE'],
    handler: async ({ context, caller, params, query }) =>
      presentSeries(await seriesOf(context, await requireScene(context, caller.userId, params.id), query)),
    async *csv({ context, caller, params, query }) {
      yield* (await seriesOf(context, await requireScene(context, caller.userId, params.id), query)).points;
    },
  }),
];

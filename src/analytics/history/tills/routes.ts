import { orNotFound } from '../../../http/errors.ts';
import { idParams } from '../../../http/fields.ts';
import { route } from '../../../http/route.ts';
import type { Context } from '../../../platform/context.ts';
import { MAX_POINTS } from '../buckets.ts';
import { type RangeQuery, rangeOf } from '../range.ts';
import type { SeriesQuery } from '../read-series.ts';
import { seriesQuery } from '../schema.ts';
import { findSceneScope } from '../scope.store.ts';
import { presentTills, tillRows } from './present.ts';
import { readTills } from './read-tills.ts';
import { tillRow, tills } from './schema.ts';

interface TillsRequest {
  readonly context: Context;
  readonly caller: { readonly userId: string };
  readonly params: { readonly id: string };
  readonly query: RangeQuery & Partial<Pick<SeriesQuery, 'bucket'>>;
}

/** @throws ApiError NOT_FOUND */
async function tillsOf({ context, caller, params, query }: TillsRequest) {
  const scope = orNotFound(await findSceneScope(context.db, caller.userId, params.id), 'Scene');
  const timezone = query.timezone ?? scope.timezone;
  return readTills(context, scope, { ...rangeOf(context, query, 1), timezone, bucket: query.bucket });
}

export const tillRoutes = [
  route({
    method: 'get',
    path: '/analytics/scenes/{id}/tills',
    name: 'getSceneTills',
    scope: 'analytics:read',
    summary: 'Read when each till of a scene was open, busy and closed, and whom it served',
    description: `Every bucket that the range touches counts as a whole, as in the series of a scene; an answer has at most ${MAX_POINTS.toLocaleString('en')} buckets. A service counts when the outcome of its visit is decided. States are stored once they are final, at most a minute and a half after the time that they tell of. CSV has a row for each bucket and till, with the name that the till had then. A till that is removed or renamed keeps its rows.`,
    params: idParams,
    query: seriesQuery,
    response: tills,
    csvRow: tillRow,
    errors: ['INVALID_DATE_RANGE'],
  }).answers({
    handler: async (request) => presentTills(await tillsOf(request)),
    async *csv(request) {
      yield* tillRows(await tillsOf(request));
    },
  }),
];

import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { mapPage } from '../../http/paging.ts';
import { type Route, route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/database/db.ts';
import { type Bucket, MAX_POINTS } from './buckets.ts';
import { findSceneScope, findSiteScope, type HistoryScope } from './history-scope.store.ts';
import { presentDistribution, presentHeatmap, presentSeries, presentVisit } from './present.ts';
import { type RangeQuery, rangeOf, requireAtMost } from './range.ts';
import { readDistribution } from './read-distribution.ts';
import { readHeatmap } from './read-heatmap.ts';
import { readSeries } from './read-series.ts';
import * as schema from './schema.ts';
import { tillRoutes } from './tills/routes.ts';
import { readUsual, USUAL_WEEKS } from './usual/read-usual.ts';
import { everyVisit, listVisits } from './visit.store.ts';
import { waitRoutes } from './waits/routes.ts';

/** What answers are about: a scene, or all scenes of a site. */
interface Subject {
  readonly noun: 'scene' | 'site';
  readonly name: 'Scene' | 'Site';
  readonly find: (db: Db, userId: string, id: string) => Promise<HistoryScope | null>;
  /** How the numbers of several scenes are put together; empty for one. */
  readonly merging: string;
}

const OF_SITES =
  ' Of the scenes of a site, people are summed and waits are merged over all visits; `coveragePercent` is that of the scene with the least. `maxInQueue` and `maxInService` are sums of the largest numbers of the scenes, so at most so many people were there at the same time.';

const SUBJECTS: readonly Subject[] = [
  { noun: 'scene', name: 'Scene', find: findSceneScope, merging: '' },
  { noun: 'site', name: 'Site', find: findSiteScope, merging: OF_SITES },
];

const LONGEST_DAYS = 400;
/** Limits of one scene's and of many scenes' rows. A series of one scene is limited by its points alone. */
const LIMITS = {
  series: { days: Number.POSITIVE_INFINITY, sceneDays: 15_000 },
  heatmap: { days: LONGEST_DAYS, sceneDays: 15_000 },
  distribution: { days: LONGEST_DAYS, sceneDays: 5_000 },
} as const;

function routesOf({ noun, name, find, merging }: Subject): Route[] {
  const path = `/analytics/${noun}s/{id}` as const;
  /** @throws ApiError NOT_FOUND */
  const scopeOf = async ({ db }: Context, { userId }: { userId: string }, id: string) =>
    orNotFound(await find(db, userId, id), name);

  const seriesOf = async (
    { context, caller, params }: { context: Context; caller: { userId: string }; params: { id: string } },
    query: RangeQuery & { readonly bucket?: Bucket | undefined },
    weeks: number,
  ) => {
    const scope = await scopeOf(context, caller, params.id);
    const timezone = query.timezone ?? scope.timezone;
    const range = rangeOf(context, query, 1);
    // The weeks before are read like the range itself.
    const limits = { ...LIMITS.series, sceneDays: LIMITS.series.sceneDays / (1 + weeks) };
    if (scope.scenes.length > 1) requireAtMost(limits, scope.scenes.length, range);
    return { scope, series: await readSeries(context, scope, { ...range, timezone, bucket: query.bucket }) };
  };

  return [
    route({
      method: 'get',
      path: `${path}/series`,
      name: `get${name}Series`,
      scope: 'analytics:read',
      summary: `Read the metrics of a ${noun} over time`,
      description: `Every bucket that the range touches counts as a whole. Buckets are cut in the time zone: a day may have 23 or 25 hours, and an hour that the clock repeats is two buckets. An answer has at most ${MAX_POINTS.toLocaleString('en')} buckets. Of times whose minutes or visits are removed (MINUTE_RETENTION_DAYS, VISIT_RETENTION_DAYS) sums of 15 minutes are kept: shorter buckets of them are refused.${merging}`,
      params: idParams,
      query: schema.seriesQuery,
      response: schema.series,
      csvRow: schema.seriesRow,
      errors: ['INVALID_DATE_RANGE'],
    }).answers({
      handler: async ({ query, ...request }) => {
        const { scope, series } = await seriesOf(request, query, query.usual ? USUAL_WEEKS : 0);
        return presentSeries(
          series,
          query.usual ? await readUsual(request.context.db, scope, series) : undefined,
        );
      },
      async *csv({ query, ...request }) {
        yield* (await seriesOf(request, query, 0)).series.points;
      },
    }),

    route({
      method: 'get',
      path: `${path}/heatmap`,
      name: `get${name}Heatmap`,
      scope: 'analytics:read',
      summary: `Read the metrics of a ${noun} by weekday and hour of day`,
      description: `Every hour that the range touches counts as a whole, in the time zone. A range has at most ${LONGEST_DAYS} days. Counts are sums over the range.${merging}`,
      params: idParams,
      query: schema.heatmapQuery,
      response: schema.heatmap,
      errors: ['INVALID_DATE_RANGE'],
    }).answers(async ({ context, caller, params, query }) => {
      const scope = await scopeOf(context, caller, params.id);
      const range = requireAtMost(LIMITS.heatmap, scope.scenes.length, rangeOf(context, query, 28));
      const timezone = query.timezone ?? scope.timezone;
      return presentHeatmap(await readHeatmap(context, scope, { ...range, timezone }));
    }),

    route({
      method: 'get',
      path: `${path}/distribution`,
      name: `get${name}Distribution`,
      scope: 'analytics:read',
      summary: `Read how long people at a ${noun} waited and were served, and how long the queue was`,
      description: `Visits count by the time of their decision, minutes by their start. A range has at most ${LONGEST_DAYS} days. Of times whose minutes or visits are removed (MINUTE_RETENTION_DAYS, VISIT_RETENTION_DAYS) whole quarters of an hour count: \`from\` and \`to\` say which.${
        noun === 'site'
          ? ' Waits are merged over the visits of all scenes; people are summed in each minute, so `queue` is null for times whose minutes are removed.'
          : ''
      }`,
      params: idParams,
      query: schema.distributionQuery,
      response: schema.distribution,
      errors: ['INVALID_DATE_RANGE'],
    }).answers(async ({ context, caller, params, query }) => {
      const scope = await scopeOf(context, caller, params.id);
      const range = requireAtMost(LIMITS.distribution, scope.scenes.length, rangeOf(context, query, 1));
      return presentDistribution(await readDistribution(context, scope, { ...query, ...range }));
    }),
  ];
}

export const historyRoutes = [
  ...SUBJECTS.flatMap(routesOf),
  ...tillRoutes,
  ...waitRoutes,

  route({
    method: 'get',
    path: '/visits',
    name: 'listVisits',
    scope: 'analytics:read',
    summary: 'List visits whose outcome is decided, newest first',
    description:
      'Times filter by the moment of the decision, by which metrics count. People who are still there, and staff, are not listed. Visits are removed VISIT_RETENTION_DAYS after their decision (800 by default); metrics over time keep what they need of them.',
    query: schema.visitsQuery,
    paging: 'A',
    response: schema.visit,
    csvRow: schema.visitRow,
    errors: ['INVALID_DATE_RANGE'],
  }).answers({
    handler: async ({ context, caller, query }) =>
      mapPage(await listVisits(context.db, { ...query, userId: caller.userId }), presentVisit),
    async *csv({ context, caller, query }) {
      for await (const row of everyVisit(context.db, { ...query, userId: caller.userId })) {
        const { tills: _, ...columns } = presentVisit(row);
        yield columns;
      }
    },
  }),
];

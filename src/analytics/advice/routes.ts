import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';
import { daysBefore } from '../../platform/database/remove-old.ts';
import { findSceneScope, type SceneScope } from '../history/history-scope.store.ts';
import { rangeOf } from '../history/range.ts';
import { countOutcomes, findCurrent, listAdvice } from './advice.store.ts';
import { daysSeen, HISTORY_DAYS, LEAST_DAYS, localDay } from './make-advice.ts';
import { presentAdvice, presentOutcomes } from './present.ts';
import { adviceList, adviceQuery, type NO_ADVICE } from './schema.ts';
import { findArrivals, findStaffedScenes } from './staffing.store.ts';

const LISTED_DAYS = 7;

/** Why a scene without advice cannot have any. */
async function reasonOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { scene: { id: sceneId, zones }, timezone, hours }: SceneScope,
): Promise<(typeof NO_ADVICE)[number] | null> {
  const now = clock.now();
  if ((zones.tills ?? []).length < 2) return 'fewTills';
  if (!(await findStaffedScenes(db, now, sceneId))[0]) return 'notMeasured';
  const from = daysBefore(now, HISTORY_DAYS);
  const arrivals = await findArrivals(db, { sceneId, from, to: now, timezone, hours });
  return daysSeen(arrivals, localDay(now, timezone)) < LEAST_DAYS ? 'learning' : null;
}

export const adviceRoutes = [
  route({
    method: 'get',
    path: '/analytics/scenes/{id}/advice',
    name: 'getSceneAdvice',
    scope: 'analytics:read',
    summary: 'Read which tills should open or close, and how often such advice was right',
    description:
      'Every minute the service plays the next two hours of a scene with at least two tills: with the people who are there, those who usually come at this time of the week, and the level of today. Where more people than the target allows would wait too long, it advises the smallest change that helps; where one till fewer does as well, that it can close. A new scene is advised in shadow: the advice is stored with what happened, and nobody is told.',
    params: idParams,
    query: adviceQuery,
    response: adviceList,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, params, query }) => {
    const { db, clock } = context;
    const scope = orNotFound(await findSceneScope(db, caller.userId, params.id), 'Scene');
    const { fromMs, toMs } = rangeOf(context, query, LISTED_DAYS);
    const [from, to] = [new Date(fromMs), new Date(toMs)];
    const [current, advice, counts, reason] = await Promise.all([
      findCurrent(db, params.id, clock.now()),
      listAdvice(db, params.id, from, to),
      countOutcomes(db, params.id, { gte: from, lte: to }),
      reasonOf(context, scope),
    ]);
    return {
      current: current && presentAdvice(current),
      reason: current ? null : reason,
      outcomes: presentOutcomes(counts),
      advice: advice.map(presentAdvice),
    };
  }),
];

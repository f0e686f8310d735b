import type { z } from 'zod';
import { average, rounded } from '../../../catalogue/metrics/arithmetic.ts';
import { orNotFound } from '../../../http/errors.ts';
import { idParams } from '../../../http/fields.ts';
import { route } from '../../../http/route.ts';
import { clockSpans } from '../../../platform/jobs/local-clock.ts';
import { findSceneScope } from '../history-scope.store.ts';
import { rangeOf, requireAtMost } from '../range.ts';
import { waitAccuracy, waitAccuracyQuery } from './schema.ts';
import { type AccuracySums, countLatest, sumAccuracy } from './wait-accuracy.store.ts';

const LIMITS = { days: 92, sceneDays: Number.POSITIVE_INFINITY };
/** People wait at most so long before the decision about their visit. */
const LONGEST_WAIT_MS = 86_400_000;
const NONE: AccuracySums = {
  ...{ hour: null, predictions: 0, served: 0, gaveUp: 0, lost: 0, inside: 0, open: 0 },
  ...{ absoluteError: null, error: null },
};

function figuresOf({ predictions, served, gaveUp, lost, inside, open, absoluteError, error }: AccuracySums) {
  const known = served + gaveUp;
  return {
    ...{ predictions, served, gaveUp, lost, insideBand: inside },
    insideBandShare: average(inside, served),
    meanAbsoluteErrorSeconds: rounded(absoluteError),
    biasSeconds: rounded(error),
    insideBandShareWithGaveUp: { atLeast: average(inside, known), atMost: average(inside + open, known) },
  };
}

export const waitRoutes = [
  route({
    method: 'get',
    path: '/analytics/scenes/{id}/wait-accuracy',
    name: 'getSceneWaitAccuracy',
    scope: 'analytics:read',
    summary: 'Read how right the estimated waits of a scene were',
    description: `Each person who joined while the wait was known is one prediction, scored when the outcome of the visit is decided. The band is meant to hold 80 % of the waits. A range has at most ${LIMITS.days} days. Predictions are kept and erased with their visit.`,
    params: idParams,
    query: waitAccuracyQuery,
    response: waitAccuracy,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, params, query }): Promise<z.input<typeof waitAccuracy>> => {
    const scope = orNotFound(await findSceneScope(context.db, caller.userId, params.id), 'Scene');
    const timezone = query.timezone ?? scope.timezone;
    const range = requireAtMost(LIMITS, 1, rangeOf(context, query, 28));
    const clock = clockSpans(timezone, range.fromMs - LONGEST_WAIT_MS, range.toMs);
    const [sums, latest] = await Promise.all([
      sumAccuracy(context.db, params.id, range, clock),
      countLatest(context.db, params.id, range),
    ]);
    return {
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
      timezone,
      ...figuresOf(sums.find(({ hour }) => hour === null) ?? NONE),
      latest,
      hours: sums.flatMap((row) => (row.hour === null ? [] : [{ hour: row.hour, ...figuresOf(row) }])),
    };
  }),
];

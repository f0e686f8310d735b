import { personOf } from '../../../../access/sessions/person.store.ts';
import { byOf } from '../../../../audit/record-audit.ts';
import { ApiError, invalidField, orNotFound } from '../../../../http/errors.ts';
import { idParams } from '../../../../http/fields.ts';
import { requireScope } from '../../../../http/permission.ts';
import { Binary, route } from '../../../../http/route.ts';
import { recordView } from '../../../devices/images/record-view.ts';
import { type CheckRow, findCheck } from '../check.store.ts';
import { presentCheck } from '../present.ts';
import { CHECKERS, STARTED } from '../routes.ts';
import { FILM_TYPE } from './film.ts';
import { labelsCsv } from './labels-csv.ts';
import { startTimesCheck } from './start-times.ts';
import { filmQuery, type MarkedTimes, newTimesCheck, timesAnswer } from './times.schema.ts';
import { findPiece, marksOf, storeMarks } from './times.store.ts';

/** People who mark on one film. */
const MOST_CHECKERS = 8;
const SCOPE = 'analysis:control';

const MARKS = ['joinedAt', 'servedAt', 'leftAt'] as const;

/** @throws ApiError VALIDATION_ERROR when a mark is later than the end of the film */
function requireWithinFilm(visits: readonly MarkedTimes[], check: CheckRow | null): void {
  const last = check?.filmSeconds ?? Number.POSITIVE_INFINITY;
  for (const [at, visit] of visits.entries()) {
    const late = MARKS.find((mark) => (visit[mark] ?? 0) > last);
    if (late) throw invalidField(`visits.${at}.${late}`, `must be at most ${last}, where the film ends`);
  }
}

export const timesCheckRoutes = [
  route({
    name: 'startTimesCheck',
    method: 'post',
    path: '/scenes/{id}/times-checks',
    scope: SCOPE,
    summary:
      'Start a check of times: people mark on a film when each person joined, began to be served and left',
    description:
      'The film is a part of a recording, where the scene is that of a recording, which then can be looked at at once. Of a camera it is kept from now on, under the masks of the camera, while the scene is analysed, and people are hidden as the account says unless `showsPeople` shows them to those who check. It is erased when the check is finished.',
    params: idParams,
    body: newTimesCheck,
    ...STARTED,
  }).answers(async ({ context, caller, client, params, body, keepAnswer }) => {
    const by = byOf(context, caller, client);
    const own = { userId: caller.userId, id: params.id };
    return presentCheck(
      await startTimesCheck(context.db, own, body, by, (tx, row) => keepAnswer(tx, presentCheck(row))),
    );
  }),

  route({
    name: 'getCheckFilm',
    method: 'get',
    path: '/checks/{id}/film',
    scope: 'device:read',
    summary: 'Read a piece of the film that is kept of a camera',
    description:
      'JPEGs one after the other, `film.fps` of them for each second; a piece without any is empty. Of a check with `showsPeople` it needs the scope `analysis:control` too. The audit log notes that somebody has looked at pictures of the device.',
    params: idParams,
    query: filmQuery,
    produces: FILM_TYPE,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, client, params, query }) => {
    const wanted = { checkId: params.id, piece: query.piece };
    const { jpegs, deviceId, showsPeople } = orNotFound(
      await findPiece(context.db, caller.userId, wanted),
      'Piece',
    );
    if (showsPeople) requireScope(caller, SCOPE);
    await recordView(context, { caller, client, deviceId });
    return new Binary(jpegs);
  }),

  route({
    name: 'markCheckTimes',
    method: 'put',
    path: '/checks/{id}/times',
    scope: SCOPE,
    summary: 'Tell when each person on the film joined, began to be served and left',
    description: `Replaces all that the same checker has marked on it. ${CHECKERS} Up to ${MOST_CHECKERS} may mark; the result says how much they agree.`,
    params: idParams,
    body: timesAnswer,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, params, body }) => {
    const checker = await personOf(context.db, caller);
    const which = { userId: caller.userId, checkId: params.id, checker };
    requireWithinFilm(body.visits, await findCheck(context.db, caller.userId, params.id));
    if (await storeMarks(context.db, { ...which, most: MOST_CHECKERS }, body.visits)) return;
    throw new ApiError(
      'NOT_FOUND',
      'There is no such check of times that is open, or too many people have marked on its film',
    );
  }),

  route({
    name: 'getCheckLabels',
    method: 'get',
    path: '/checks/{id}/labels',
    scope: 'device:read',
    summary: 'Read what you have marked, as CSV for `npm run -s evaluate -- visits`',
    description:
      'Columns `person,queueEnteredAt,queueLeftAt,serviceStartedAt,serviceEndedAt`, seconds of the film. Where somebody else has marked and you have not, theirs.',
    params: idParams,
    produces: 'text/csv',
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, params }) => {
    const { id } = orNotFound(await findCheck(context.db, caller.userId, params.id), 'Check');
    const marks = await marksOf(context.db, id);
    const visits = marks.get(await personOf(context.db, caller)) ?? [...marks.values()][0] ?? [];
    return new Binary(Buffer.from(labelsCsv(visits)));
  }),
];

import { personOf } from '../../../access/sessions/person.store.ts';
import { byOf } from '../../../audit/record-audit.ts';
import { ApiError, orNotFound } from '../../../http/errors.ts';
import { idParams } from '../../../http/fields.ts';
import { mapPage } from '../../../http/paging.ts';
import { requireScope } from '../../../http/permission.ts';
import { Binary, route } from '../../../http/route.ts';
import { recordView } from '../../devices/images/record-view.ts';
import { findScene } from '../scene.store.ts';
import { findCheck, findPictureOf, findView, listChecks, stillsOf, storeAnswer } from './check.store.ts';
import { presentCheck, presentOpenedCheck } from './present.ts';
import { sendCheckReport } from './report/send-report.ts';
import { deleteCheck, endCheck, startCheck, stopCheck } from './run-check.ts';
import {
  finishBody,
  listChecksQuery,
  newCheck,
  openedCheck,
  reportBody,
  type StillAnswer,
  type StoredAnswer,
  sceneCheck,
  sentReport,
  stillAnswer,
} from './schema.ts';
import { marksOf } from './times/times.store.ts';

/** How a check is started, of either kind. */
export const STARTED = {
  status: 201,
  response: sceneCheck,
  idempotency: 'user',
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
} as const;

export const CHECKERS =
  'One checker are all sessions that began with the password of the account, one a key with its sessions, and one each session that began with a one-time code.';

/** People who count on the stills of a check. */
const MOST_CHECKERS = 8;
/** Whoever runs a shop starts checks and counts. */
const SCOPE = 'analysis:control';

type Counted = Extract<StillAnswer, { waiting: unknown }>['waiting'];
const countOf = (counted: Counted): number => (typeof counted === 'number' ? counted : counted.length);
const pointsOf = (counted: Counted) => (typeof counted === 'number' ? null : counted);

const stored = (answer: StillAnswer): StoredAnswer =>
  'skipped' in answer
    ? { waiting: 0, served: 0, waitingPoints: null, servedPoints: null, isSkipped: true }
    : {
        waiting: countOf(answer.waiting),
        served: countOf(answer.served),
        waitingPoints: pointsOf(answer.waiting),
        servedPoints: pointsOf(answer.served),
        isSkipped: false,
      };

export const checkRoutes = [
  route({
    name: 'startCheck',
    method: 'post',
    path: '/scenes/{id}/checks',
    scope: SCOPE,
    summary: 'Start a check of a scene: keep stills at random moments, on which people count',
    description:
      'While the scene is analysed, a still is kept at a random moment of each part of the time, more often where our counts change; the figures are weighted so that they tell about the whole time. The stills are under the masks of the camera, and people are hidden as the account says unless `showsPeople` shows them to those who check. One check of a scene collects at a time.',
    params: idParams,
    body: newCheck,
    ...STARTED,
  }).answers(async ({ context, caller, client, params, body, keepAnswer }) => {
    const by = byOf(context, caller, client);
    const own = { userId: caller.userId, id: params.id };
    return presentCheck(
      await startCheck(context.db, own, body, by, (tx, row) => keepAnswer(tx, presentCheck(row))),
    );
  }),

  route({
    name: 'listChecks',
    method: 'get',
    path: '/scenes/{id}/checks',
    scope: 'scene:read',
    summary: 'List the checks of a scene, newest first',
    params: idParams,
    query: listChecksQuery,
    paging: 'B',
    response: sceneCheck,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, params, query }) => {
    orNotFound(await findScene(context.db, caller.userId, params.id), 'Scene');
    const own = { userId: caller.userId, sceneId: params.id };
    return mapPage(await listChecks(context.db, own, query), presentCheck);
  }),

  route({
    name: 'getCheck',
    method: 'get',
    path: '/checks/{id}',
    scope: 'device:read',
    summary: 'Read a check with its stills',
    params: idParams,
    response: openedCheck,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, params }) => {
    const row = orNotFound(await findCheck(context.db, caller.userId, params.id), 'Check');
    const checker = await personOf(context.db, caller);
    const marked = row.kind === 'times' ? await marksOf(context.db, row.id) : null;
    const stills = await stillsOf(context.db, row.id);
    return presentOpenedCheck(row, { stills, marked: marked?.get(checker) ?? null }, checker);
  }),

  route({
    name: 'stopCheck',
    method: 'post',
    path: '/checks/{id}/stop',
    scope: SCOPE,
    summary: 'Keep no further stills: people count on those there are',
    params: idParams,
    response: sceneCheck,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, params }) =>
    presentCheck(await stopCheck(context.db, { userId: caller.userId, id: params.id }, context.clock.now())),
  ),

  route({
    name: 'finishCheck',
    method: 'post',
    path: '/checks/{id}/finish',
    scope: SCOPE,
    summary: 'Finish a check: compute its result from what was counted, and erase pictures',
    description:
      'The pictures of stills with equal counts are erased; with `keepsWrongStills` those of the others stay for at most 30 days from when they were taken. A check that nobody finishes within 14 days is finished with what it has.',
    params: idParams,
    body: finishBody,
    response: sceneCheck,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, client, params, body }) => {
    const by = byOf(context, caller, client);
    return presentCheck(
      await endCheck(context, { userId: caller.userId, id: params.id }, body.checkedBy, by),
    );
  }),

  route({
    name: 'sendCheckReport',
    method: 'post',
    path: '/checks/{id}/report',
    scope: 'alert:write',
    summary: 'Send the result of a finished check by e-mail',
    description:
      'To confirmed e-mail channels of the account, without pictures but the view with `withView`. A user can send at most 20 codes, test messages and such reports within an hour.',
    params: idParams,
    body: reportBody,
    status: 202,
    response: sentReport,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'CHANNEL_NOT_ENABLED', 'EMAIL_NOT_CONFIGURED'],
  }).answers(async ({ context, caller, params, body, keepAnswer }) => {
    const own = { userId: caller.userId, id: params.id };
    const present = (channelIds: readonly string[]) => ({ channelIds: [...channelIds] });
    return present(await sendCheckReport(context, own, body, (tx, ids) => keepAnswer(tx, present(ids))));
  }),

  route({
    name: 'getCheckView',
    method: 'get',
    path: '/checks/{id}/view',
    scope: 'device:read',
    summary: 'Read the view of the camera of a finished check, small and without people',
    description:
      'The median of its stills: whatever was in one place for less than half of them is not in it. It goes with the check.',
    params: idParams,
    produces: 'image/jpeg',
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, client, params }) => {
    const { jpeg, deviceId } = orNotFound(await findView(context.db, caller.userId, params.id), 'View');
    await recordView(context, { caller, client, deviceId });
    return new Binary(jpeg);
  }),

  route({
    name: 'deleteCheck',
    method: 'delete',
    path: '/checks/{id}',
    scope: SCOPE,
    summary: 'Delete a check with its stills and its result',
    params: idParams,
    errors: ['NOT_FOUND'],
  }).answers(({ context, caller, client, params }) => {
    const by = byOf(context, caller, client);
    return deleteCheck(context.db, { userId: caller.userId, id: params.id }, by);
  }),

  route({
    name: 'getCheckStill',
    method: 'get',
    path: '/check-stills/{id}/picture',
    scope: 'device:read',
    summary: 'Read the picture of a still, without boxes',
    description:
      'Of a check with `showsPeople` it needs the scope `analysis:control` too. The audit log notes that somebody has looked at pictures of the device.',
    params: idParams,
    produces: 'image/jpeg',
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, client, params }) => {
    const { jpeg, deviceId, showsPeople } = orNotFound(
      await findPictureOf(context.db, caller.userId, params.id),
      'Picture',
    );
    if (showsPeople) requireScope(caller, SCOPE);
    await recordView(context, { caller, client, deviceId });
    return new Binary(jpeg);
  }),

  route({
    name: 'answerCheckStill',
    method: 'put',
    path: '/check-stills/{id}/answer',
    scope: SCOPE,
    summary: 'Tell how many people you count on a still, or that you cannot tell',
    description: `Replaces what the same checker has counted on it. ${CHECKERS} Up to ${MOST_CHECKERS} may count; the result says how much they agree.`,
    params: idParams,
    body: stillAnswer,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, params, body }) => {
    const checker = await personOf(context.db, caller);
    const which = { userId: caller.userId, stillId: params.id, checker };
    if (await storeAnswer(context.db, { ...which, most: MOST_CHECKERS }, stored(body))) return;
    throw new ApiError(
      'NOT_FOUND',
      'There is no such still of an open check, or too many people have counted on it',
    );
  }),
];

import { orNotFound } from '../../../http/errors.ts';
import { idParams } from '../../../http/fields.ts';
import { mapPage } from '../../../http/paging.ts';
import { route } from '../../../http/route.ts';
import {
  changeReportSubscription,
  createReportSubscription,
  deleteReportSubscription,
  sendPreview,
} from './configure-subscription.ts';
import { presentReportSubscription } from './present.ts';
import {
  createReportSubscriptionBody,
  listReportSubscriptionsQuery,
  patchReportSubscriptionBody,
  reportPreview,
  reportSubscription,
} from './schema.ts';
import { findSubscription, listSubscriptions } from './subscription.store.ts';

const BASE = '/reports/subscriptions';
/** As for all notifications, because channels show addresses of people. */
const SCOPE = 'alert:write';

export const reportSubscriptionRoutes = [
  route({
    name: 'createReportSubscription',
    method: 'post',
    path: BASE,
    scope: SCOPE,
    summary: 'Have the report of a site sent by e-mail every day or week',
    description:
      'It has the last day or week that has ended, with a CSV file. Where the clock skips its time it comes as much later, where the clock repeats its time it comes once.',
    body: createReportSubscriptionBody,
    status: 201,
    response: reportSubscription,
    idempotency: 'user',
    errors: ['CHANNEL_NOT_ENABLED', 'EMAIL_NOT_CONFIGURED', 'LIMIT_REACHED', 'NOT_FOUND'],
  }).answers(async ({ context, caller, body, keepAnswer }) =>
    presentReportSubscription(
      await createReportSubscription(context, caller.userId, body, (tx, row) =>
        keepAnswer(tx, presentReportSubscription(row)),
      ),
    ),
  ),

  route({
    name: 'listReportSubscriptions',
    method: 'get',
    path: BASE,
    scope: SCOPE,
    summary: 'List subscriptions of reports, newest first',
    query: listReportSubscriptionsQuery,
    paging: 'A',
    response: reportSubscription,
  }).answers(async ({ context, caller, query }) =>
    mapPage(await listSubscriptions(context.db, caller.userId, query), presentReportSubscription),
  ),

  route({
    name: 'getReportSubscription',
    method: 'get',
    path: `${BASE}/{id}`,
    scope: SCOPE,
    summary: 'Read a subscription of reports',
    params: idParams,
    response: reportSubscription,
  }).answers(async ({ context, caller, params }) =>
    presentReportSubscription(
      orNotFound(await findSubscription(context.db, caller.userId, params.id), 'Subscription'),
    ),
  ),

  route({
    name: 'updateReportSubscription',
    method: 'patch',
    path: `${BASE}/{id}`,
    scope: SCOPE,
    summary: 'Change a subscription of reports; `channelIds` replaces all of its channels',
    params: idParams,
    body: patchReportSubscriptionBody,
    response: reportSubscription,
    errors: ['CHANNEL_NOT_ENABLED'],
  }).answers(async ({ context, caller, params, body }) =>
    presentReportSubscription(
      await changeReportSubscription(context, { userId: caller.userId, id: params.id }, body),
    ),
  ),

  route({
    name: 'deleteReportSubscription',
    method: 'delete',
    path: `${BASE}/{id}`,
    scope: SCOPE,
    summary: 'Delete a subscription of reports',
    params: idParams,
  }).answers(({ context, caller, params }) => deleteReportSubscription(context.db, caller.userId, params.id)),

  route({
    name: 'testReportSubscription',
    method: 'post',
    path: `${BASE}/{id}/test`,
    scope: SCOPE,
    summary: 'Send the newest report of a subscription now',
    description:
      'The regular reports are sent nevertheless. A user can send at most 20 codes, test messages and such reports within an hour.',
    params: idParams,
    status: 202,
    response: reportPreview,
    idempotency: 'user',
    errors: ['CHANNEL_NOT_ENABLED', 'EMAIL_NOT_CONFIGURED'],
  }).answers(async ({ context, caller, params, keepAnswer }) => {
    const own = { userId: caller.userId, id: params.id };
    const present = (channelIds: readonly string[]) => ({ channelIds: [...channelIds] });
    return present(await sendPreview(context, own, (tx, ids) => keepAnswer(tx, present(ids))));
  }),
];

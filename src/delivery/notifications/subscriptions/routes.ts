import { notFound, orNotFound } from '../../../http/errors.ts';
import { idParams } from '../../../http/fields.ts';
import { mapPage } from '../../../http/paging.ts';
import { route } from '../../../http/route.ts';
import type { Context } from '../../../platform/context.ts';
import { isSigned } from '../messages/links.ts';
import { type Language, languageOf } from '../texts/language.ts';
import {
  changeSubscription,
  createSubscription,
  deleteSubscription,
  unsubscribe,
} from './configure-subscription.ts';
import { presentSubscription } from './present.ts';
import {
  createSubscriptionBody,
  listSubscriptionsQuery,
  patchSubscriptionBody,
  subscription,
  unsubscribeQuery,
} from './schema.ts';
import { findSubscription, listSubscriptions, localeOfSubscription } from './subscription.store.ts';
import { askPage, donePage } from './unsubscribe-page.ts';

const BASE = '/notifications/subscriptions';
const UNSUBSCRIBE = '/notifications/unsubscribe/{id}';

/** @returns the language of the page @throws ApiError NOT_FOUND for a wrong signature or a subscription that was deleted */
async function requireSigned(context: Context, id: string, signature: string): Promise<Language> {
  const isGenuine = isSigned(context, { subscriptionId: id, signature });
  const locale = isGenuine ? await localeOfSubscription(context.db, id) : undefined;
  if (locale === undefined) throw notFound('Subscription');
  return languageOf(locale);
}

export const subscriptionRoutes = [
  route({
    name: 'createNotificationSubscription',
    method: 'post',
    path: BASE,
    scope: 'alert:write',
    summary: 'Subscribe a channel to events',
    description:
      'An event that several subscriptions of a channel want is told once, by the one that may tell it first. For a rule that may disturb at night, make a second subscription without quiet hours.',
    body: createSubscriptionBody,
    status: 201,
    response: subscription,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  }).answers(async ({ context, caller, body, keepAnswer }) =>
    presentSubscription(
      await createSubscription(context, caller, body, (tx, row) => keepAnswer(tx, presentSubscription(row))),
    ),
  ),

  route({
    name: 'listNotificationSubscriptions',
    method: 'get',
    path: BASE,
    scope: 'alert:write',
    summary: 'List subscriptions, newest first',
    query: listSubscriptionsQuery,
    paging: 'A',
    response: subscription,
  }).answers(async ({ context, caller, query }) =>
    mapPage(await listSubscriptions(context.db, caller.userId, query), presentSubscription),
  ),

  route({
    name: 'getNotificationSubscription',
    method: 'get',
    path: `${BASE}/{id}`,
    scope: 'alert:write',
    summary: 'Read a subscription',
    params: idParams,
    response: subscription,
  }).answers(async ({ context, caller, params }) =>
    presentSubscription(
      orNotFound(await findSubscription(context.db, caller.userId, params.id), 'Subscription'),
    ),
  ),

  route({
    name: 'updateNotificationSubscription',
    method: 'patch',
    path: `${BASE}/{id}`,
    scope: 'alert:write',
    summary: 'Change a subscription; a message that waits already keeps its time',
    params: idParams,
    body: patchSubscriptionBody,
    response: subscription,
  }).answers(async ({ context, caller, params, body }) =>
    presentSubscription(await changeSubscription(context, { caller, id: params.id }, body)),
  ),

  route({
    name: 'deleteNotificationSubscription',
    method: 'delete',
    path: `${BASE}/{id}`,
    scope: 'alert:write',
    summary: 'Delete a subscription; what waits for it is not sent',
    params: idParams,
  }).answers(({ context, caller, params }) => deleteSubscription(context.db, caller.userId, params.id)),

  route({
    name: 'showUnsubscribePage',
    method: 'get',
    path: UNSUBSCRIBE,
    scope: null,
    summary: 'Open the page that ends a subscription, by the signed address of a message',
    description:
      'The page has one button, which sends `POST` to the same address. Reading it changes nothing.',
    params: idParams,
    query: unsubscribeQuery,
    produces: 'text/html',
  }).answers(async ({ context, params, query }) =>
    askPage(await requireSigned(context, params.id, query.signature)),
  ),

  route({
    name: 'unsubscribeByLink',
    method: 'post',
    path: UNSUBSCRIBE,
    scope: null,
    summary: 'End a subscription by the signed address of a message',
    description:
      'Mail programs send it for the header `List-Unsubscribe` (RFC 8058). The body is not read. The subscription is switched off, not deleted; a repeated call has the same result.',
    params: idParams,
    query: unsubscribeQuery,
    produces: 'text/html',
  }).answers(async ({ context, params, query }) => {
    const language = await requireSigned(context, params.id, query.signature);
    if (!(await unsubscribe(context.db, params.id))) throw notFound('Subscription');
    return donePage(language);
  }),
];

import { z } from 'zod';
import { idParams, orNothing } from '../../http/fields.ts';
import { mapPage } from '../../http/paging.ts';
import { route } from '../../http/route.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  regenerateSecret,
  requireWebhook,
  type WithSecret,
} from './configure-webhook.ts';
import { listDeliveries } from './delivery.store.ts';
import { presentDelivery, presentSecret, presentWebhook } from './present.ts';
import {
  createdWebhook,
  createWebhookBody,
  deliveriesQuery,
  delivery,
  patchWebhookBody,
  testBody,
  webhook,
  webhookSecret,
} from './schema.ts';
import { openSecret } from './secret.ts';
import { redeliver, testWebhook } from './send-again.ts';
import { findWebhook } from './webhook.store.ts';

const BASE = '/users/me/webhook';

export const webhookRoutes = [
  route({
    name: 'getWebhook',
    method: 'get',
    path: BASE,
    scope: 'webhook:read',
    summary: 'Read the webhook’s configuration',
    query: z.object({ orNothing: orNothing('404') }),
    response: webhook,
    orNothing: true,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, query }) => {
    if (query.orNothing && !(await findWebhook(context.db, caller.userId))) return null;
    return presentWebhook(await requireWebhook(context, caller.userId));
  }),

  route({
    name: 'createWebhook',
    method: 'post',
    path: BASE,
    scope: 'webhook:write',
    summary: 'Create the webhook: one per user',
    body: createWebhookBody,
    status: 201,
    response: createdWebhook,
    idempotency: 'user',
    errors: ['WEBHOOK_EXISTS'],
  }).answers(async ({ context, caller, body, keepAnswer }) => {
    const present = ({ row, secret }: WithSecret) => ({ ...presentWebhook(row), secret });
    return present(
      await createWebhook(context, caller.userId, body, (tx, made) => keepAnswer(tx, present(made))),
    );
  }),

  route({
    name: 'updateWebhook',
    method: 'patch',
    path: BASE,
    scope: 'webhook:write',
    summary:
      'Change the webhook; after a change of the secret, deliveries are also signed with the old one for 24 hours',
    body: patchWebhookBody,
    response: webhook,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, body }) =>
    presentWebhook(await changeWebhook(context, caller.userId, body)),
  ),

  route({
    name: 'deleteWebhook',
    method: 'delete',
    path: BASE,
    scope: 'webhook:write',
    summary: 'Delete the webhook; pending deliveries are cancelled',
    errors: ['NOT_FOUND'],
  }).answers(({ context, caller }) => deleteWebhook(context, caller.userId)),

  route({
    name: 'getWebhookSecret',
    method: 'get',
    path: `${BASE}/secret`,
    scope: 'webhook:write',
    summary: 'Read the signing secret',
    response: webhookSecret,
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller }) => {
    const row = await requireWebhook(context, caller.userId);
    return presentSecret(row, openSecret(context.sealer, row.secretEncrypted), context.clock.now());
  }),

  route({
    name: 'regenerateWebhookSecret',
    method: 'post',
    path: `${BASE}/secret/regenerate`,
    scope: 'webhook:write',
    summary: 'Create a new signing secret; deliveries are also signed with the old one for 24 hours',
    response: webhookSecret,
    idempotency: 'user',
    errors: ['NOT_FOUND'],
  }).answers(async ({ context, caller, keepAnswer }) => {
    const present = ({ row, secret }: WithSecret) => presentSecret(row, secret, context.clock.now());
    return present(
      await regenerateSecret(context, caller.userId, (tx, made) => keepAnswer(tx, present(made))),
    );
  }),

  route({
    name: 'testWebhook',
    method: 'post',
    path: `${BASE}/test`,
    scope: 'webhook:write',
    summary: 'Schedule a test delivery of a type, without retries',
    description:
      'The delivery has example data and `data.test` is true. It is sent even if the webhook is not subscribed to the type. It does not appear in `GET /stream`.',
    body: testBody,
    status: 202,
    response: delivery,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
  }).answers(async ({ context, caller, body, keepAnswer }) =>
    presentDelivery(
      await testWebhook(context, caller.userId, body.type, (tx, made) =>
        keepAnswer(tx, presentDelivery(made)),
      ),
    ),
  ),

  route({
    name: 'listWebhookDeliveries',
    method: 'get',
    path: `${BASE}/deliveries`,
    scope: 'webhook:read',
    summary: 'List delivery attempts of the last 30 days, newest first',
    query: deliveriesQuery,
    paging: 'B',
    bare: true,
    response: delivery,
    errors: ['INVALID_DATE_RANGE'],
  }).answers(async ({ context, caller, query }) => {
    return mapPage(await listDeliveries(context.db, caller.userId, query), presentDelivery);
  }),

  route({
    name: 'redeliverWebhook',
    method: 'post',
    path: `${BASE}/deliveries/{id}/redeliver`,
    scope: 'webhook:write',
    summary: 'Deliver the event of an attempt again',
    description:
      'The body and its `id` are the same as before; the current address and secret are used. Scheduled attempts to deliver this event are cancelled. If an attempt is in progress at this moment, the answer is that attempt and no other is scheduled.',
    params: idParams,
    status: 202,
    response: delivery,
    idempotency: 'user',
    errors: ['WEBHOOK_DISABLED'],
  }).answers(async ({ context, caller, params, keepAnswer }) =>
    presentDelivery(
      await redeliver(context, caller.userId, params.id, (tx, made) => keepAnswer(tx, presentDelivery(made))),
    ),
  ),
];

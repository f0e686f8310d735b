import { idParams } from '../http/fields.ts';
import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
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

const BASE = '/users/me/webhook';

export const webhookRoutes = [
  route({
    method: 'get',
    path: BASE,
    scope: 'webhook:read',
    summary: 'Read the webhook’s configuration',
    response: webhook,
    errors: ['NOT_FOUND'],
    handler: async ({ context, caller }) => presentWebhook(await requireWebhook(context, caller.userId)),
  }),

  route({
    method: 'post',
    path: BASE,
    scope: 'webhook:write',
    summary: 'Create the webhook: one per user',
    body: createWebhookBody,
    status: 201,
    response: createdWebhook,
    idempotency: 'user',
    errors: ['WEBHOOK_EXISTS'],
    handler: async ({ context, caller, body, keepAnswer }) => {
      const present = ({ row, secret }: WithSecret) => ({ ...presentWebhook(row), secret });
      return present(
        await createWebhook(context, caller.userId, body, (tx, made) => keepAnswer(tx, present(made))),
      );
    },
  }),

  route({
    method: 'patch',
    path: BASE,
    scope: 'webhook:write',
    summary: 'Change the webhook; a replaced secret signs along for 24 hours',
    body: patchWebhookBody,
    response: webhook,
    errors: ['NOT_FOUND'],
    handler: async ({ context, caller, body }) =>
      presentWebhook(await changeWebhook(context, caller.userId, body)),
  }),

  route({
    method: 'delete',
    path: BASE,
    scope: 'webhook:write',
    summary: 'Delete the webhook; what was still to be delivered is given up',
    errors: ['NOT_FOUND'],
    handler: ({ context, caller }) => deleteWebhook(context, caller.userId),
  }),

  route({
    method: 'get',
    path: `${BASE}/secret`,
    scope: 'webhook:write',
    summary: 'Read the signing secret',
    response: webhookSecret,
    errors: ['NOT_FOUND'],
    handler: async ({ context, caller }) => {
      const row = await requireWebhook(context, caller.userId);
      return presentSecret(row, openSecret(context.sealer, row.secretEncrypted), context.clock.now());
    },
  }),

  route({
    method: 'post',
    path: `${BASE}/secret/regenerate`,
    scope: 'webhook:write',
    summary: 'Make a new signing secret; the old one signs along for 24 hours',
    response: webhookSecret,
    idempotency: 'user',
    errors: ['NOT_FOUND'],
    handler: async ({ context, caller, keepAnswer }) => {
      const present = ({ row, secret }: WithSecret) => presentSecret(row, secret, context.clock.now());
      return present(
        await regenerateSecret(context, caller.userId, (tx, made) => keepAnswer(tx, present(made))),
      );
    },
  }),

  route({
    method: 'post',
    path: `${BASE}/test`,
    scope: 'webhook:write',
    summary: 'Schedule a test delivery of a type, without retries',
    description:
      'Sent as every delivery of the type is, whether the webhook is subscribed to it or not, with made-up data and `data.test` true. It does not appear on `GET /stream`.',
    body: testBody,
    status: 202,
    response: delivery,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'WEBHOOK_DISABLED'],
    handler: async ({ context, caller, body, keepAnswer }) =>
      presentDelivery(
        await testWebhook(context, caller.userId, body.type, (tx, made) =>
          keepAnswer(tx, presentDelivery(made)),
        ),
      ),
  }),

  route({
    method: 'get',
    path: `${BASE}/deliveries`,
    scope: 'webhook:read',
    summary: 'Attempts to deliver, newest first, of the last 30 days',
    query: deliveriesQuery,
    paging: 'B',
    bare: true,
    response: delivery,
    errors: ['INVALID_DATE_RANGE'],
    handler: async ({ context, caller, query }) => {
      return mapPage(await listDeliveries(context.db, caller.userId, query), presentDelivery);
    },
  }),

  route({
    method: 'post',
    path: `${BASE}/deliveries/{id}/redeliver`,
    scope: 'webhook:write',
    summary: 'Deliver the event of an attempt once more',
    description:
      'The body and its `id` are the same as before; it goes to the webhook as it is now. Attempts at the event that were still to come are given up. Where an attempt at it is under way at this moment, that one is answered and no other is scheduled.',
    params: idParams,
    status: 202,
    response: delivery,
    idempotency: 'user',
    errors: ['WEBHOOK_DISABLED'],
    handler: async ({ context, caller, params, keepAnswer }) =>
      presentDelivery(
        await redeliver(context, caller.userId, params.id, (tx, made) =>
          keepAnswer(tx, presentDelivery(made)),
        ),
      ),
  }),
];

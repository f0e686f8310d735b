import { actorOf } from '../../../audit/record-audit.ts';
import { idParams } from '../../../http/fields.ts';
import { mapPage } from '../../../http/paging.ts';
import type { Caller } from '../../../http/permission.ts';
import { type Client, route } from '../../../http/route.ts';
import { presentDelivery } from '../delivery/present.ts';
import { delivery } from '../delivery/schema.ts';
import type { Owner } from './audit-channel.ts';
import { listChannels } from './channel.store.ts';
import { createChannel, deleteChannel, testChannel } from './configure-channel.ts';
import { confirmChannel, sendCode } from './confirm-channel.ts';
import { presentChannel } from './present.ts';
import { publicPushKey } from './push-keys.ts';
import { channel, confirmBody, createChannelBody, listChannelsQuery, pushKey } from './schema.ts';

const ownerOf = (caller: Caller, client: Client): Owner => ({
  userId: caller.userId,
  by: actorOf(caller, client),
});

const BASE = '/notifications/channels';

export const channelRoutes = [
  route({
    name: 'getPushKey',
    method: 'get',
    path: '/notifications/push-key',
    scope: 'alert:write',
    summary: 'Read the key with which a browser subscribes to Web Push',
    response: pushKey,
  }).answers(async ({ context }) => ({ publicKey: await publicPushKey(context) })),

  route({
    name: 'createNotificationChannel',
    method: 'post',
    path: BASE,
    scope: 'alert:write',
    summary: 'Create a channel for messages: an e-mail address or a browser',
    description:
      'An e-mail address gets a code and is used after its confirmation. A browser is used at once, because it has asked its user. A channel sends nothing without a subscription.',
    body: createChannelBody,
    status: 201,
    response: channel,
    idempotency: 'user',
    errors: ['CHANNEL_EXISTS', 'EMAIL_NOT_CONFIGURED', 'LIMIT_REACHED'],
  }).answers(async ({ context, caller, client, body, keepAnswer }) =>
    presentChannel(
      await createChannel(context, ownerOf(caller, client), body, (tx, row) =>
        keepAnswer(tx, presentChannel(row)),
      ),
    ),
  ),

  route({
    name: 'listNotificationChannels',
    method: 'get',
    path: BASE,
    scope: 'alert:write',
    summary: 'List channels, newest first',
    query: listChannelsQuery,
    paging: 'A',
    response: channel,
  }).answers(async ({ context, caller, query }) =>
    mapPage(await listChannels(context.db, caller.userId, query), presentChannel),
  ),

  route({
    name: 'deleteNotificationChannel',
    method: 'delete',
    path: `${BASE}/{id}`,
    scope: 'alert:write',
    summary: 'Delete a channel with its subscriptions and the records of its messages',
    params: idParams,
  }).answers(({ context, caller, client, params }) =>
    deleteChannel(context, ownerOf(caller, client), params.id),
  ),

  route({
    name: 'confirmNotificationChannel',
    method: 'post',
    path: `${BASE}/{id}/confirm`,
    scope: 'alert:write',
    summary: 'Confirm an e-mail address by its code',
    description:
      'A code is valid for 30 minutes and ends with five wrong ones. A channel that is confirmed already is answered as it is.',
    params: idParams,
    body: confirmBody,
    response: channel,
    errors: ['CODE_EXPIRED'],
  }).answers(async ({ context, caller, client, params, body }) =>
    presentChannel(
      await confirmChannel(context, { owner: ownerOf(caller, client), id: params.id }, body.code),
    ),
  ),

  route({
    name: 'sendNotificationCode',
    method: 'post',
    path: `${BASE}/{id}/code`,
    scope: 'alert:write',
    summary: 'Send another code to an e-mail address that is not confirmed, or whose channel was disabled',
    description:
      'The code before is no longer valid. A user can send at most 20 codes and test messages within an hour.',
    params: idParams,
    status: 202,
    response: channel,
    idempotency: 'user',
    errors: ['CHANNEL_CONFIRMED', 'EMAIL_NOT_CONFIGURED'],
  }).answers(async ({ context, caller, params, keepAnswer }) =>
    presentChannel(
      await sendCode(context, caller.userId, params.id, (tx, row) => keepAnswer(tx, presentChannel(row))),
    ),
  ),

  route({
    name: 'testNotificationChannel',
    method: 'post',
    path: `${BASE}/{id}/test`,
    scope: 'alert:write',
    summary: 'Send a test message over a channel, without retries',
    description: 'A user can send at most 20 codes and test messages within an hour.',
    params: idParams,
    status: 202,
    response: delivery,
    idempotency: 'user',
    errors: ['CHANNEL_NOT_ENABLED'],
  }).answers(async ({ context, caller, params, keepAnswer }) =>
    presentDelivery(
      await testChannel(context, caller.userId, params.id, (tx, made) =>
        keepAnswer(tx, presentDelivery(made)),
      ),
    ),
  ),
];

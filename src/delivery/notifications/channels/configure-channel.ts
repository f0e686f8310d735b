import { createHash } from 'node:crypto';
import { ApiError, invalidField, orNotFound } from '../../../http/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { LastStep } from '../../../platform/database/last-step.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import { faultInReceiverUrl } from '../../outbox/receiver-url.ts';
import type { Delivery } from '../delivery/delivery.store.ts';
import { queueMessage } from '../delivery/queue-message.ts';
import { auditChannel, type Owner } from './audit-channel.ts';
import { type Channel, insertChannel, lockChannel, removeChannel } from './channel.store.ts';
import { queueCode } from './confirm-channel.ts';
import { countMessage } from './message-limit.ts';
import { isAuthSecret, isPublicKey, sealBrowser } from './push-request.ts';
import { requireEmail } from './require-email.ts';
import type { CreateChannel } from './schema.ts';

/**
 * Creates a channel. An e-mail address gets a code and is used after its confirmation; a browser has asked its user already.
 * @throws ApiError VALIDATION_ERROR, EMAIL_NOT_CONFIGURED, CHANNEL_EXISTS, LIMIT_REACHED, RATE_LIMITED
 */
export async function createChannel(
  context: Context,
  { userId, by }: Owner,
  body: CreateChannel,
  lastStep: LastStep<Channel>,
): Promise<Channel> {
  const { db, clock, sealer, config } = context;
  const { kind, name = null } = body;
  if (body.kind === 'email') {
    requireEmail(context);
    await countMessage(context, userId);
  } else acceptBrowser(context, body);
  const columns =
    body.kind === 'email'
      ? { address: body.address, addressHash: hashOf(body.address.toLowerCase()) }
      : {
          address: new URL(body.endpoint).host.slice(0, 254),
          addressHash: hashOf(body.endpoint),
          subscriptionEncrypted: sealBrowser(sealer, userId, body),
          status: 'enabled' as const,
          confirmedAt: clock.now(),
        };
  try {
    return await db.$transaction(async (tx) => {
      const given = { userId, kind, name, ...columns };
      const made = await insertChannel(tx, config.maxChannelsPerUser, given);
      await auditChannel(tx, made, { by, action: 'notification_channel_created', at: clock.now() });
      const channel = body.kind === 'email' ? await queueCode(context, tx, made) : made;
      await lastStep(tx, channel);
      return channel;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError(
      'CHANNEL_EXISTS',
      'You have a channel with this address already: use that, or delete it first',
    );
  }
}

/** Removes a channel with its subscriptions and records. @throws ApiError NOT_FOUND */
export function deleteChannel({ db, clock }: Context, { userId, by }: Owner, id: string): Promise<void> {
  return db.$transaction(async (tx) => {
    const channel = orNotFound(await lockChannel(tx, { userId, id }), 'Channel');
    await auditChannel(tx, channel, { by, action: 'notification_channel_removed', at: clock.now() });
    await removeChannel(tx, channel.id);
  });
}

/** Schedules a test message, without retries. @throws ApiError NOT_FOUND, CHANNEL_NOT_ENABLED, RATE_LIMITED */
export async function testChannel(
  context: Context,
  userId: string,
  id: string,
  lastStep: LastStep<Delivery>,
): Promise<Delivery> {
  await countMessage(context, userId);
  return context.db.$transaction(async (tx) => {
    const channel = orNotFound(await lockChannel(tx, { userId, id }), 'Channel');
    if (channel.status !== 'enabled') throw notEnabled(channel);
    const made = await queueMessage(context, tx, channel, { kind: 'test', maxAttempts: 1 });
    await lastStep(tx, made);
    return made;
  });
}

const notEnabled = ({ status, kind, disabledReason }: Channel): ApiError =>
  new ApiError(
    'CHANNEL_NOT_ENABLED',
    status === 'unconfirmed'
      ? 'The channel is not confirmed: send its code to /notifications/channels/{id}/confirm first'
      : `The channel is disabled: ${disabledReason ?? ''} ${
          kind === 'email'
            ? 'Ask for a new code to confirm it again'
            : 'Delete it and subscribe the browser again'
        }`,
  );

/** @throws ApiError VALIDATION_ERROR */
function acceptBrowser(
  { config }: Context,
  { endpoint, p256dh, auth }: CreateChannel & { kind: 'push' },
): void {
  const fault = /^https:/i.test(endpoint)
    ? faultInReceiverUrl(endpoint, config.webhookAllowHosts)
    : 'must be an https:// address';
  if (fault) throw invalidField('endpoint', fault);
  if (!isPublicKey(p256dh))
    throw invalidField('p256dh', 'must be the key of the browser’s PushSubscription: 65 bytes in base64url');
  if (!isAuthSecret(auth))
    throw invalidField('auth', 'must be the secret of the browser’s PushSubscription: 16 bytes in base64url');
}

const hashOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());

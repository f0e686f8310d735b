import { randomUUID } from 'node:crypto';
import { ApiError, notFound } from '../http/errors.ts';
import type { Context } from '../platform/context.ts';
import type { Tx } from '../platform/db.ts';
import { type Delivery, findDelivery, insertSeries, removeDeliveries } from './delivery.store.ts';
import { emit } from './emit.ts';
import { lockWebhook, type Webhook } from './webhook.store.ts';

/**
 * Schedules a delivery for somebody who wants to see one arrive: an announcement marked `test`, whatever the webhook is
 * subscribed to, without retries.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR while the webhook is disabled
 */
export function testWebhook({ db, clock }: Context, userId: string): Promise<Delivery> {
  return db.$transaction(async (tx) => {
    const webhook = await requireEnabled(tx, userId);
    const data = {
      title: 'Test',
      message: 'This is a test delivery that you asked for.',
      test: true,
    } as const;
    const eventId = await emit(tx, {
      userId,
      type: 'system_announcement',
      data,
      occurredAt: clock.now(),
      dedupeKey: `webhook_test:${randomUUID()}`,
    });
    // Where it is subscribed to announcements one was scheduled with retries.
    await removeDeliveries(tx, eventId!);
    return insertSeries(tx, webhook, { eventId: eventId!, maxAttempts: 1, isTest: true });
  });
}

/**
 * Schedules the event of a delivery once more, as a new series of attempts to the webhook as it is now.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR while the webhook is disabled
 */
export function redeliver({ db }: Context, userId: string, deliveryId: string): Promise<Delivery> {
  return db.$transaction(async (tx) => {
    const delivery = await findDelivery(tx, userId, deliveryId);
    if (!delivery) throw notFound('Delivery');
    const webhook = await requireEnabled(tx, userId);
    const { eventId, isTest } = delivery;
    return insertSeries(tx, webhook, { eventId, isTest, maxAttempts: isTest ? 1 : webhook.maxRetries + 1 });
  });
}

async function requireEnabled(tx: Tx, userId: string): Promise<Webhook> {
  const webhook = await lockWebhook(tx, userId);
  if (!webhook) throw notFound('Webhook');
  if (webhook.status === 'enabled') return webhook;
  throw new ApiError('VALIDATION_ERROR', 'The webhook is disabled: set its status to enabled first');
}

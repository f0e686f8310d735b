import { randomUUID } from 'node:crypto';
import { ApiError, orNotFound } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { type EventType, testData } from '../events/catalogue.ts';
import { emit } from '../events/emit.ts';
import { TEST_EVENTS } from '../events/event.store.ts';
import {
  cancelAttempts,
  type Delivery,
  findDelivery,
  insertSeries,
  removeDeliveries,
} from './delivery.store.ts';
import { lockWebhook, type Webhook } from './webhook.store.ts';

/**
 * Schedules a test delivery: an event of the type with example data marked `test`, without retries, also for a type that the
 * webhook is not subscribed to.
 * @throws ApiError NOT_FOUND, WEBHOOK_DISABLED
 */
export function testWebhook(
  { db, clock }: Context,
  userId: string,
  type: EventType,
  lastStep?: LastStep<Delivery>,
): Promise<Delivery> {
  return db.$transaction(async (tx) => {
    const webhook = await requireEnabled(tx, userId);
    const dedupeKey = `${TEST_EVENTS}${randomUUID()}`;
    const event = { userId, type, data: testData(type), occurredAt: clock.now(), dedupeKey };
    // Nobody else has its key.
    const eventId = (await emit(tx, event))!;
    // For a subscribed type the event has scheduled a delivery with retries; it is replaced.
    await removeDeliveries(tx, eventId);
    const made = await insertSeries(tx, webhook, { eventId, maxAttempts: 1, isTest: true });
    await lastStep?.(tx, made);
    return made;
  });
}

const GIVEN_UP = 'Not made: the event was delivered again by hand.';

/**
 * Sends the event of a delivery again, as a new series of attempts to the present webhook. Scheduled attempts of the event are
 * cancelled. If an attempt is in progress, it counts as the redelivery and no new one is scheduled.
 * @throws ApiError NOT_FOUND, WEBHOOK_DISABLED
 */
export function redeliver(
  { db, clock }: Context,
  userId: string,
  deliveryId: string,
  lastStep?: LastStep<Delivery>,
): Promise<Delivery> {
  return db.$transaction(async (tx) => {
    const delivery = orNotFound(await findDelivery(tx, userId, deliveryId), 'Delivery');
    const webhook = await requireEnabled(tx, userId);
    const { eventId, isTest } = delivery;
    const pending = { webhookId: webhook.id, eventId, now: clock.now(), why: GIVEN_UP };
    const underWay = await cancelAttempts(tx, pending);
    const series = { eventId, isTest, maxAttempts: isTest ? 1 : webhook.maxRetries + 1 };
    const made = underWay ?? (await insertSeries(tx, webhook, series));
    await lastStep?.(tx, made);
    return made;
  });
}

/** Locks the webhook. @throws ApiError NOT_FOUND, WEBHOOK_DISABLED */
export async function requireEnabled(tx: Tx, userId: string): Promise<Webhook> {
  const webhook = orNotFound(await lockWebhook(tx, userId), 'Webhook');
  if (webhook.status === 'enabled') return webhook;
  throw new ApiError(
    'WEBHOOK_DISABLED',
    'The webhook is disabled: send PATCH /users/me/webhook with {"status":"enabled"} first',
  );
}

import { lockUser } from '../../../access/user-cap.ts';
import { invalidField, notFound, orNotFound } from '../../../http/errors.ts';
import { type Caller, requireScope } from '../../../http/permission.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { LastStep } from '../../../platform/database/last-step.ts';
import { lockChannel } from '../channels/channel.store.ts';
import { cancelMessages } from '../delivery/delivery.store.ts';
import { afterQuietHours } from '../messages/quiet-hours.ts';
import type { CreateSubscription, PatchSubscription } from './schema.ts';
import {
  insertSubscription,
  lockSubscription,
  missingOf,
  removeSubscription,
  type Subscription,
  updateSubscription,
} from './subscription.store.ts';

/** @throws ApiError NOT_FOUND, VALIDATION_ERROR, INSUFFICIENT_SCOPE, LIMIT_REACHED */
export async function createSubscription(
  { db, config, clock }: Context,
  caller: Caller,
  body: CreateSubscription,
  lastStep: LastStep<Subscription>,
): Promise<Subscription> {
  const { userId } = caller;
  accept(caller, body, clock.now());
  return db.$transaction(async (tx) => {
    // First the user, then the channel, as wherever both are locked.
    await lockUser(tx, userId);
    orNotFound(await lockChannel(tx, { userId, id: body.channelId }), 'Channel', 'channelId');
    const missing = await missingOf(tx, userId, body);
    if (missing) throw notFound(missing, `${missing.toLowerCase()}Ids`);
    const made = await insertSubscription(tx, { userId, most: config.maxSubscriptionsPerUser }, body);
    await lastStep(tx, made);
    return made;
  });
}

/**
 * Changes a subscription. A message that waits already keeps its time, unless the subscription is switched off.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR, INSUFFICIENT_SCOPE
 */
export async function changeSubscription(
  { db, clock }: Context,
  { caller, id }: { caller: Caller; id: string },
  body: PatchSubscription,
): Promise<Subscription> {
  const { userId } = caller;
  accept(caller, body, clock.now());
  return db.$transaction(async (tx) => {
    orNotFound(await lockSubscription(tx, id, userId), 'Subscription');
    const missing = await missingOf(tx, userId, body);
    if (missing) throw notFound(missing, `${missing.toLowerCase()}Ids`);
    const changed = await updateSubscription(tx, id, body);
    if (body.isEnabled === false) await cancelMessages(tx, id, 'The subscription was switched off.');
    return changed;
  });
}

/** Removes a subscription and gives up what waits for it. @throws ApiError NOT_FOUND */
export function deleteSubscription(db: Db, userId: string, id: string): Promise<void> {
  return db.$transaction(async (tx) => {
    orNotFound(await lockSubscription(tx, id, userId), 'Subscription');
    await cancelMessages(tx, id, 'The subscription was deleted.');
    await removeSubscription(tx, id);
  });
}

/** @throws ApiError INSUFFICIENT_SCOPE, VALIDATION_ERROR */
function accept(caller: Caller, { kinds = [], quietHours = null }: PatchSubscription, now: Date): void {
  if (kinds.some((kind) => kind.startsWith('quota_'))) requireScope(caller, 'billing:read');
  if (afterQuietHours(quietHours, now.getTime()) === null)
    throw invalidField(
      'quietHours',
      'must leave a time for messages; for no messages send "isEnabled": false',
    );
}

/** Ends a subscription by the signed address in a message. A repeated call has the same result. @returns false for an unknown one */
export function unsubscribe(db: Db, id: string): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const subscription = await lockSubscription(tx, id, null);
    if (!subscription?.isEnabled) return subscription !== null;
    await cancelMessages(tx, id, 'The receiver has unsubscribed.');
    await updateSubscription(tx, id, { isEnabled: false });
    return true;
  });
}

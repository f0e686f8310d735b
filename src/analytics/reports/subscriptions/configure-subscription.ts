import { countMessage } from '../../../delivery/notifications/channels/message-limit.ts';
import { requireEmail } from '../../../delivery/notifications/channels/require-email.ts';
import { queueMessage } from '../../../delivery/notifications/delivery/queue-message.ts';
import { ApiError, invalidField, notFound, orNotFound } from '../../../http/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { LastStep } from '../../../platform/database/last-step.ts';
import { comparedPeriods, lastEndedDate } from '../period.ts';
import { usableChannels } from './due.store.ts';
import type { CreateReportSubscription, PatchReportSubscription } from './schema.ts';
import {
  findSubscription,
  insertSubscription,
  type Missing,
  removeSubscription,
  type SubscriptionWithAll,
  updateSubscription,
} from './subscription.store.ts';
import { prepareReport } from './write-report.ts';

/** @throws ApiError NOT_FOUND, CHANNEL_NOT_ENABLED, VALIDATION_ERROR */
function found(result: SubscriptionWithAll | Missing): SubscriptionWithAll {
  if (typeof result !== 'string') return result;
  if (result === 'not an e-mail')
    throw invalidField('channelIds', 'must be e-mail channels: a report has tables and a file');
  if (result === 'not confirmed')
    throw new ApiError(
      'CHANNEL_NOT_ENABLED',
      'A channel of channelIds is not confirmed: confirm it by its code first',
    );
  throw notFound(result, { Site: 'siteId', Channel: 'channelIds', Subscription: undefined }[result]);
}

/** @param weekday what the caller sent @throws ApiError VALIDATION_ERROR */
function requireFitting({
  period,
  weekday,
}: {
  period?: 'day' | 'week' | undefined;
  weekday?: number | undefined;
}): void {
  if (period === 'day' && weekday !== undefined)
    throw invalidField('weekday', 'is only for reports of a week: leave it out');
}

/** @throws ApiError NOT_FOUND, EMAIL_NOT_CONFIGURED, CHANNEL_NOT_ENABLED, VALIDATION_ERROR, LIMIT_REACHED */
export async function createReportSubscription(
  context: Pick<Context, 'clock' | 'config' | 'db'>,
  userId: string,
  body: CreateReportSubscription,
  lastStep: LastStep<SubscriptionWithAll>,
): Promise<SubscriptionWithAll> {
  requireEmail(context);
  requireFitting(body);
  return found(await insertSubscription(context.db, { userId, now: context.clock.now() }, body, lastStep));
}

/** @throws ApiError NOT_FOUND, CHANNEL_NOT_ENABLED, VALIDATION_ERROR */
export async function changeReportSubscription(
  { db, clock }: Pick<Context, 'clock' | 'db'>,
  own: { readonly userId: string; readonly id: string },
  body: PatchReportSubscription,
): Promise<SubscriptionWithAll> {
  const { period } = orNotFound(await findSubscription(db, own.userId, own.id), 'Subscription');
  requireFitting({ period, ...body });
  return found(await updateSubscription(db, { ...own, now: clock.now() }, body));
}

/** @throws ApiError NOT_FOUND */
export async function deleteReportSubscription(db: Db, userId: string, id: string): Promise<void> {
  if (!(await removeSubscription(db, userId, id))) throw notFound('Subscription');
}

/**
 * Sends the report of the last period that has ended now, beside the regular ones.
 * @returns the ids of the channels @throws ApiError NOT_FOUND, EMAIL_NOT_CONFIGURED, CHANNEL_NOT_ENABLED, RATE_LIMITED
 */
export async function sendPreview(
  context: Context,
  { userId, id }: { readonly userId: string; readonly id: string },
  lastStep: LastStep<readonly string[]>,
): Promise<readonly string[]> {
  const { db, clock } = context;
  const subscription = orNotFound(await findSubscription(db, userId, id), 'Subscription');
  requireEmail(context);
  const { period, site } = subscription;
  const date = lastEndedDate(period, clock.now().getTime(), site.timezone);
  const periods = comparedPeriods(period, date, site.timezone);
  const write = periods && (await prepareReport(context, subscription, periods));
  if (!write) throw notFound('Site');
  await countMessage(context, userId);
  return db.$transaction(async (tx) => {
    const channels = await usableChannels(tx, id);
    if (channels.length === 0)
      throw new ApiError(
        'CHANNEL_NOT_ENABLED',
        'None of the channels can be used: confirm an e-mail channel first',
      );
    for (const channel of channels) {
      const content = write({ subscriptionId: id, channelId: channel.id });
      await queueMessage(context, tx, channel, { kind: 'report', content });
    }
    const ids = channels.map((channel) => channel.id);
    await lastStep(tx, ids);
    return ids;
  });
}

import { queueMessage } from '../../../delivery/notifications/delivery/queue-message.ts';
import type { Context } from '../../../platform/context.ts';
import { daysBefore } from '../../../platform/database/remove-old.ts';
import { type WorkedOff, workOff } from '../../../platform/jobs/work-off.ts';
import { comparedPeriods, lastEndedDate } from '../period.ts';
import {
  claimDue,
  type DueSubscription,
  holdsClaim,
  postponeDue,
  recordReport,
  removeReportsBefore,
  settleDue,
  usableChannels,
} from './due.store.ts';
import { nextDue } from './due.ts';
import { prepareReport } from './write-report.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Long enough for one report of the largest site. */
const CLAIM_MS = 5 * MINUTE_MS;
/** A report that is later than this is of no use any more. */
const LATEST_DAYS = 2;
const RECORD_DAYS = 400;
/** With the delays of the outbox, of which the longest is repeated, the last one comes as late as a report may be. */
const ATTEMPTS = 14;

const TOO_LATE = `It was more than ${LATEST_DAYS} days late, because the service could not send it in time.`;
const NO_CHANNEL = 'None of its channels can be used.';

/**
 * Stores the e-mails of all reports that are due. The e-mails, the record of the period and the next time are stored in one
 * transaction, so that a period is sent once however many programs do this and wherever one of them ends.
 */
export function sendDueReports(context: Context): Promise<WorkedOff> {
  const { db, clock, logger } = context;
  const later = (ms: number) => new Date(clock.now().getTime() + ms);
  return workOff({
    // One after the other: a report of a large site needs much memory.
    atOnce: 1,
    claim: (limit) => claimDue(db, { now: clock.now(), until: later(CLAIM_MS), limit }),
    work: (subscription) => send(context, subscription, clock.now()),
    failed: (err, subscription) => {
      const { id: subscriptionId } = subscription;
      logger.warn({ err, subscriptionId }, 'a report could not be sent: trying again in a minute');
      return postponeDue(db, subscription, later(MINUTE_MS));
    },
  });
}

async function send(context: Context, subscription: DueSubscription, now: Date): Promise<void> {
  const { db } = context;
  // The time zone of the site may have changed since the time was computed.
  const dueAt = nextDue(subscription, subscription.nextDueAt.getTime() - 1);
  if (dueAt > now) {
    await settleDue(db, subscription, dueAt);
    return;
  }
  const isTooLate = now.getTime() - dueAt.getTime() > LATEST_DAYS * DAY_MS;
  const { period, timezone } = subscription;
  const date = lastEndedDate(period, dueAt.getTime(), timezone);
  const periods = comparedPeriods(period, date, timezone);
  const write = isTooLate || !periods ? null : await prepareReport(context, subscription, periods);
  await db.$transaction(async (tx) => {
    if (!(await holdsClaim(tx, subscription))) return;
    const channels = write ? await usableChannels(tx, subscription.id) : [];
    const record = { subscriptionId: subscription.id, period, date: periods?.current.date ?? date, dueAt };
    const skippedBecause = !write ? TOO_LATE : channels.length === 0 ? NO_CHANNEL : null;
    const reportId = await recordReport(tx, { ...record, skippedBecause, messages: channels.length });
    if (reportId !== null && write) {
      for (const channel of channels) {
        const content = write({ subscriptionId: subscription.id, channelId: channel.id });
        await queueMessage(context, tx, channel, {
          kind: 'report',
          content,
          reportId,
          maxAttempts: ATTEMPTS,
        });
      }
    }
    await settleDue(tx, subscription, nextDue(subscription, dueAt.getTime()));
  });
}

/** Removes the records of old reports. */
export const removeOldReports = ({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<void> =>
  removeReportsBefore(db, daysBefore(clock.now(), RECORD_DAYS));

import { notFound } from '../../http/errors.ts';
import type { Context } from '../../platform/context.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import type { Announcement } from '../../platform/prisma-client/client.ts';
import { findRecipients, insertAnnouncement, type NewAnnouncement } from './announce.store.ts';
import { emit } from './emit.ts';

export interface Announced {
  readonly announcement: Announcement;
  readonly recipientCount: number;
}

/** Long enough to write an event for every user of a large installation. */
const TIMEOUT_MS = 25_000;

/**
 * Sends an announcement to the named users or to everybody, in one transaction.
 * @throws ApiError NOT_FOUND when one of them does not exist
 */
export function announce(
  { db, clock }: Context,
  wanted: NewAnnouncement,
  lastStep?: LastStep<Announced>,
): Promise<Announced> {
  return db.$transaction(
    async (tx) => {
      const recipients = await findRecipients(tx, wanted.userIds);
      if (recipients.length < wanted.userIds.length) throw notFound('User', 'userIds');
      const announcement = await insertAnnouncement(tx, wanted);
      const { type, title, message, startsAt, endsAt } = wanted;
      const data = {
        title,
        message,
        ...(startsAt && { startsAt: startsAt.toISOString() }),
        ...(endsAt && { endsAt: endsAt.toISOString() }),
      };
      for (const userId of recipients) {
        const dedupeKey = `announcement:${announcement.id}:${userId}`;
        await emit(tx, { userId, type, data, occurredAt: clock.now(), dedupeKey });
      }
      const announced = { announcement, recipientCount: recipients.length };
      await lastStep?.(tx, announced);
      return announced;
    },
    { timeout: TIMEOUT_MS },
  );
}

import type { Context } from '../platform/context.ts';
import { daysBefore, removeOld } from '../platform/database/remove-old.ts';
import { Prisma } from '../platform/prisma-client/client.ts';

const ATTEMPT_DAYS = 30;
/** Longer than a month, because an event's `dedupeKey` must prevent a second report within a month. */
const EVENT_DAYS = 62;

/** Removes attempts after 30 days, and events after 62 days unless an attempt still belongs to them. */
export async function removeOldDeliveries({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = (days: number) => daysBefore(clock.now(), days);
  const only = Prisma.sql`t.status <> 'pending'`;
  await removeOld(db, { table: 'WebhookDelivery', before: before(ATTEMPT_DAYS), only });
  const unused = Prisma.sql`NOT EXISTS (SELECT 1 FROM "WebhookDelivery" d WHERE d."eventId" = t.id)`;
  await removeOld(db, { table: 'Event', before: before(EVENT_DAYS), only: unused });
}

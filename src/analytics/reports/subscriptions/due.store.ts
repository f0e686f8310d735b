import type { Db, Tx } from '../../../platform/database/db.ts';
import { removeOld } from '../../../platform/database/remove-old.ts';
import { claim } from '../../../platform/jobs/claim.store.ts';
import { type NotificationChannel, Prisma } from '../../../platform/prisma-client/client.ts';
import type { PeriodKind } from '../period.ts';
import type { Timetable } from './due.ts';

/** A subscription whose report is due, claimed by this program. */
export interface DueSubscription extends Timetable {
  readonly id: string;
  readonly userId: string;
  readonly siteId: string;
  readonly nextDueAt: Date;
  readonly claimedUntil: Date;
}

/** Claims subscriptions that are due, the oldest first. Those that another program has claimed are left out until its claim ends. */
export function claimDue(
  db: Db,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<DueSubscription[]> {
  return claim(db, {
    table: 'ReportSubscription',
    due: Prisma.sql`w."nextDueAt" <= ${now} AND (w."claimedUntil" IS NULL OR w."claimedUntil" <= ${now})`,
    order: Prisma.sql`w."nextDueAt"`,
    limit,
    set: Prisma.sql`"claimedUntil" = ${until}`,
    from: { table: Prisma.sql`"Site" site`, on: Prisma.sql`site.id = w."siteId"` },
    returning: Prisma.sql`w.id, w."userId", w."siteId", w.period::text, w."localTime", w.weekday::int, w."nextDueAt",
      w."claimedUntil", site.timezone`,
  });
}

/** Locks a subscription until the end of the transaction. @returns false when it was changed, removed or claimed by another program */
export async function holdsClaim(tx: Tx, { id, claimedUntil }: DueSubscription): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "ReportSubscription" WHERE id = ${id}::uuid AND "claimedUntil" = ${claimedUntil} FOR UPDATE`;
  return found.length > 0;
}

/** Ends a claim; the subscription is due again at the time. */
export async function settleDue(
  tx: Tx,
  { id, claimedUntil }: DueSubscription,
  nextDueAt: Date,
): Promise<void> {
  await tx.reportSubscription.updateMany({
    where: { id, claimedUntil },
    data: { nextDueAt, claimedUntil: null },
  });
}

/** Keeps a failed subscription for this program no longer than until the time. */
export async function postponeDue(db: Db, { id, claimedUntil }: DueSubscription, until: Date): Promise<void> {
  await db.reportSubscription.updateMany({ where: { id, claimedUntil }, data: { claimedUntil: until } });
}

export interface ReportRecord {
  readonly subscriptionId: string;
  readonly period: PeriodKind;
  /** Local date of the first day of the period. */
  readonly date: string;
  readonly dueAt: Date;
  /** Null when it is sent. */
  readonly skippedBecause: string | null;
  /** Number of e-mails that it is sent by. */
  readonly messages: number;
}

/** @returns the id of the record; null when the period has one already */
export async function recordReport(tx: Tx, record: ReportRecord): Promise<string | null> {
  const { subscriptionId, period, date, dueAt, skippedBecause: reason, messages } = record;
  const [made] = await tx.sentReport.createManyAndReturn({
    data: [
      {
        subscriptionId,
        period,
        date: new Date(date),
        dueAt,
        reason,
        status: reason === null ? 'sent' : 'skipped',
        openMessages: messages,
      },
    ],
    skipDuplicates: true,
    select: { id: true },
  });
  return made?.id ?? null;
}

/** The channels of a subscription that can be used, kept from being removed until the end of the transaction. */
export function usableChannels(
  tx: Tx,
  subscriptionId: string,
): Promise<Pick<NotificationChannel, 'id' | 'kind' | 'userId'>[]> {
  return tx.$queryRaw`
    SELECT c.id, c.kind::text, c."userId" FROM "NotificationChannel" c
    JOIN "ReportSubscriptionChannel" r ON r."channelId" = c.id
    WHERE r."subscriptionId" = ${subscriptionId}::uuid AND c.kind = 'email' AND c.status = 'enabled'
    ORDER BY c.id FOR KEY SHARE OF c`;
}

export const removeReportsBefore = (db: Db, before: Date): Promise<void> =>
  removeOld(db, { table: 'SentReport', before });

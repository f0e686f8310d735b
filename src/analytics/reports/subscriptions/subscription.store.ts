import { requireRoom } from '../../../access/user-cap.ts';
import { definedFields } from '../../../http/fields.ts';
import { NEWEST_FIRST, type Page, pageOf, rowsOf } from '../../../http/paging.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import type { LastStep } from '../../../platform/database/last-step.ts';
import type { Prisma, ReportSubscription, SentReport } from '../../../platform/prisma-client/client.ts';
import { nextDue } from './due.ts';
import type { CreateReportSubscription, ListReportSubscriptions, PatchReportSubscription } from './schema.ts';

/** Most subscriptions of a user. */
const MOST = 500;

const WITH_ALL = {
  site: { select: { timezone: true } },
  channels: { select: { channelId: true }, orderBy: { channelId: 'asc' } },
  reports: { orderBy: [{ dueAt: 'desc' }, { id: 'desc' }], take: 1 },
} as const satisfies Prisma.ReportSubscriptionInclude;

export type SubscriptionWithAll = ReportSubscription & {
  readonly site: { readonly timezone: string };
  readonly channels: readonly { readonly channelId: string }[];
  readonly reports: readonly SentReport[];
};

export async function findSubscription(
  db: Tx,
  userId: string,
  id: string,
): Promise<SubscriptionWithAll | null> {
  const row = await db.reportSubscription.findFirst({ where: { id, userId }, include: WITH_ALL });
  // Prisma reads the site in a statement of its own: it may have been removed in between, and the subscription with it.
  const site = row?.site as SubscriptionWithAll['site'] | null | undefined;
  return row && site ? { ...row, site } : null;
}

export function listSubscriptions(
  db: Db,
  userId: string,
  query: ListReportSubscriptions,
): Promise<Page<SubscriptionWithAll>> {
  const where = { userId, ...(query.siteId && { siteId: query.siteId }) };
  return pageOf(
    db.reportSubscription.findMany({ where, include: WITH_ALL, orderBy: NEWEST_FIRST, ...rowsOf(query) }),
    db.reportSubscription.count({ where }),
  );
}

/** What does not exist or cannot be used. */
export type Missing = 'Site' | 'Channel' | 'Subscription' | 'not an e-mail' | 'not confirmed';

/** @returns the new subscription, or what does not exist @throws ApiError LIMIT_REACHED */
export function insertSubscription(
  db: Db,
  { userId, now }: { userId: string; now: Date },
  { channelIds, siteId, period, localTime, weekday }: CreateReportSubscription,
  lastStep: LastStep<SubscriptionWithAll>,
): Promise<SubscriptionWithAll | Missing> {
  return db.$transaction(async (tx) => {
    const count = () => tx.reportSubscription.count({ where: { userId } });
    await requireRoom(tx, { userId, what: 'report subscriptions', most: MOST, count });
    const [site] = await tx.$queryRaw<{ timezone: string }[]>`
      SELECT timezone FROM "Site" WHERE id = ${siteId}::uuid AND "userId" = ${userId}::uuid FOR KEY SHARE`;
    if (!site) return 'Site';
    const missing = await lockChannels(tx, userId, channelIds);
    if (missing) return missing;
    const timetable = { period, localTime, weekday: weekdayOf(period, weekday), timezone: site.timezone };
    const row = await tx.reportSubscription.create({
      data: {
        ...{ userId, siteId, period, localTime, weekday: timetable.weekday },
        nextDueAt: nextDue(timetable, now.getTime()),
        channels: { create: channelIds.map((channelId) => ({ channelId })) },
      },
      include: WITH_ALL,
    });
    await lastStep(tx, row);
    return row;
  });
}

const weekdayOf = (period: 'day' | 'week', weekday: number | null | undefined): number | null =>
  period === 'day' ? null : (weekday ?? 1);

/** Changes a subscription; it is next due after now. `channelIds` replaces its channels. */
export function updateSubscription(
  db: Db,
  { userId, id, now }: { userId: string; id: string; now: Date },
  { channelIds, ...columns }: PatchReportSubscription,
): Promise<SubscriptionWithAll | Missing> {
  return db.$transaction(async (tx) => {
    // The lock comes first: of two changes the later one decides, and a report that is being sent is sent before or not at all.
    await tx.$queryRaw`
      SELECT 1 FROM "ReportSubscription" WHERE id = ${id}::uuid AND "userId" = ${userId}::uuid FOR UPDATE`;
    const found = await findSubscription(tx, userId, id);
    if (!found) return 'Subscription';
    const missing = channelIds && (await lockChannels(tx, userId, channelIds));
    if (missing) return missing;
    const changed = { ...found, ...definedFields(columns) };
    const weekday = weekdayOf(changed.period, columns.weekday ?? found.weekday);
    const isMoved =
      changed.period !== found.period || changed.localTime !== found.localTime || weekday !== found.weekday;
    const timetable = { ...changed, weekday, timezone: found.site.timezone };
    await tx.reportSubscription.updateMany({
      where: { id, userId },
      data: {
        ...{ period: changed.period, localTime: changed.localTime, weekday },
        ...(isMoved && { nextDueAt: nextDue(timetable, now.getTime()), claimedUntil: null }),
      },
    });
    if (channelIds) {
      await tx.reportSubscriptionChannel.deleteMany({
        where: { subscriptionId: id, channelId: { notIn: channelIds } },
      });
      await tx.reportSubscriptionChannel.createMany({
        data: channelIds.map((channelId) => ({ subscriptionId: id, channelId })),
        skipDuplicates: true,
      });
    }
    return (await findSubscription(tx, userId, id)) ?? 'Subscription';
  });
}

/** Keeps channels from being removed until the end of the transaction. @returns what is wrong with them; null for nothing */
async function lockChannels(tx: Tx, userId: string, ids: readonly string[]): Promise<Missing | null> {
  const found = await tx.$queryRaw<{ kind: string; status: string }[]>`
    SELECT kind::text, status::text FROM "NotificationChannel"
    WHERE id = ANY(${ids}::uuid[]) AND "userId" = ${userId}::uuid ORDER BY id FOR KEY SHARE`;
  if (found.length < ids.length) return 'Channel';
  if (found.some(({ kind }) => kind !== 'email')) return 'not an e-mail';
  return found.some(({ status }) => status === 'unconfirmed') ? 'not confirmed' : null;
}

/** @returns false when there is no such subscription */
export async function removeSubscription(db: Db, userId: string, id: string): Promise<boolean> {
  const { count } = await db.reportSubscription.deleteMany({ where: { id, userId } });
  return count > 0;
}

/** The language of the owner of a subscription; undefined when there is none. */
export async function findLocale(db: Db, id: string): Promise<string | null | undefined> {
  const found = await db.reportSubscription.findUnique({
    where: { id },
    select: { user: { select: { locale: true } } },
  });
  return found?.user.locale;
}

/** Takes a channel out of a subscription. */
export async function removeChannel(
  db: Db,
  { subscriptionId, channelId }: { readonly subscriptionId: string; readonly channelId: string },
): Promise<void> {
  await db.reportSubscriptionChannel.deleteMany({ where: { subscriptionId, channelId } });
}

import { requireRoom } from '../../../access/user-cap.ts';
import { definedFields } from '../../../http/fields.ts';
import { NEWEST_FIRST, type Page, pageOf, rowsOf } from '../../../http/paging.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import { type NotificationSubscription, Prisma } from '../../../platform/prisma-client/client.ts';
import type { CreateSubscription, ListSubscriptions, PatchSubscription } from './schema.ts';

export type Subscription = NotificationSubscription;

export function listSubscriptions(
  db: Db,
  userId: string,
  query: ListSubscriptions,
): Promise<Page<Subscription>> {
  const where = { userId, ...definedFields({ channelId: query.channelId, isEnabled: query.isEnabled }) };
  return pageOf(
    db.notificationSubscription.findMany({ where, orderBy: NEWEST_FIRST, ...rowsOf(query) }),
    db.notificationSubscription.count({ where }),
  );
}

export function findSubscription(db: Db, userId: string, id: string): Promise<Subscription | null> {
  return db.notificationSubscription.findFirst({ where: { id, userId } });
}

/** The language of the user to whom a subscription belongs; undefined where there is no such subscription. */
export async function localeOfSubscription(db: Db, id: string): Promise<string | null | undefined> {
  const found = await db.notificationSubscription.findUnique({
    where: { id },
    select: { user: { select: { locale: true } } },
  });
  return found?.user.locale;
}

/**
 * Locks the subscription until the end of the transaction: no message of it is planned meanwhile.
 * @param userId whose it must be; null: anybody's, for its signed address
 */
export async function lockSubscription(
  tx: Tx,
  id: string,
  userId: string | null,
): Promise<Subscription | null> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "NotificationSubscription"
    WHERE id = ${id}::uuid AND (${userId}::uuid IS NULL OR "userId" = ${userId}::uuid) FOR NO KEY UPDATE`;
  return rows.length === 0 ? null : tx.notificationSubscription.findUnique({ where: { id } });
}

const jsonOf = (quietHours: CreateSubscription['quietHours']) => quietHours ?? Prisma.DbNull;

/** @param most subscriptions that a user may have @throws ApiError LIMIT_REACHED */
export async function insertSubscription(
  tx: Tx,
  { userId, most }: { userId: string; most: number },
  { quietHours, name = null, ...columns }: CreateSubscription,
): Promise<Subscription> {
  const count = () => tx.notificationSubscription.count({ where: { userId } });
  await requireRoom(tx, { userId, what: 'subscriptions', most, count });
  return tx.notificationSubscription.create({
    data: { ...columns, name, userId, quietHours: jsonOf(quietHours) },
  });
}

export function updateSubscription(
  tx: Tx,
  id: string,
  { quietHours, ...columns }: PatchSubscription,
): Promise<Subscription> {
  return tx.notificationSubscription.update({
    where: { id },
    data: {
      ...definedFields(columns),
      ...(quietHours !== undefined && { quietHours: jsonOf(quietHours) }),
    },
  });
}

export async function removeSubscription(tx: Tx, id: string): Promise<void> {
  await tx.notificationSubscription.delete({ where: { id } });
}

/** What of a user a subscription may name. */
export interface Named {
  readonly ruleIds?: readonly string[] | undefined;
  readonly deviceIds?: readonly string[] | undefined;
  readonly siteIds?: readonly string[] | undefined;
}

/** @returns what the user does not have; null when everything is the user's */
export async function missingOf(
  tx: Tx,
  userId: string,
  { ruleIds = [], deviceIds = [], siteIds = [] }: Named,
): Promise<'Rule' | 'Device' | 'Site' | null> {
  const [has] = await tx.$queryRaw<[{ rules: number; devices: number; sites: number }]>`
    SELECT (SELECT count(*)::int FROM "AlertRule"
            WHERE id = ANY(${[...ruleIds]}::uuid[]) AND "userId" = ${userId}::uuid AND "deletedAt" IS NULL) AS rules,
           (SELECT count(*)::int FROM "Device"
            WHERE id = ANY(${[...deviceIds]}::uuid[]) AND "userId" = ${userId}::uuid AND "deletedAt" IS NULL
              AND kind = 'camera') AS devices,
           (SELECT count(*)::int FROM "Site"
            WHERE id = ANY(${[...siteIds]}::uuid[]) AND "userId" = ${userId}::uuid) AS sites`;
  if (has.rules < ruleIds.length) return 'Rule';
  if (has.devices < deviceIds.length) return 'Device';
  return has.sites < siteIds.length ? 'Site' : null;
}

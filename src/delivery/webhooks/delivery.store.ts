import { definedFields, within } from '../../http/fields.ts';
import { NEWEST_FIRST, type Page, pageOf, rowsOf } from '../../http/paging.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import { removeOld } from '../../platform/database/remove-old.ts';
import { Prisma, type Webhook, type WebhookDelivery } from '../../platform/prisma-client/client.ts';
import type { AttemptFilter } from '../outbox/attempt.ts';
import { withNextAttempts } from '../outbox/next-attempts.ts';

/** An attempt with the exact bytes of its body. */
export type Delivery = WebhookDelivery & {
  readonly event: { readonly body: Uint8Array };
  /** When the next attempt of its series is due (this one while it is pending); null when there is none. */
  readonly nextAttemptAt: Date | null;
};
type DeliveryRow = Omit<Delivery, 'nextAttemptAt'>;

const WITH_BODY = { event: { select: { body: true } } } as const;

export interface DeliveryFilter extends AttemptFilter {
  readonly deviceId?: string | undefined;
  readonly sceneId?: string | undefined;
}

/** A user's attempts, newest first, including attempts to a deleted webhook. */
export async function listDeliveries(
  db: Db,
  userId: string,
  filter: DeliveryFilter,
): Promise<Page<Delivery>> {
  const { status, deviceId, sceneId } = filter;
  const where = { userId, ...definedFields({ status, deviceId, sceneId, createdAt: within(filter) }) };
  const { items, total } = await pageOf(
    db.webhookDelivery.findMany({ where, orderBy: NEWEST_FIRST, include: WITH_BODY, ...rowsOf(filter) }),
    db.webhookDelivery.count({ where }),
  );
  const waiting = {
    find: (rows: readonly DeliveryRow[]) =>
      db.webhookDelivery.findMany({
        where: {
          userId,
          eventId: { in: [...new Set(rows.map(({ eventId }) => eventId))] },
          status: 'pending',
        },
        select: { eventId: true, webhookId: true, series: true, dueAt: true },
      }),
    seriesOf: (row: Pick<DeliveryRow, 'eventId' | 'webhookId' | 'series'>) =>
      `${row.eventId} ${row.webhookId} ${row.series}`,
  };
  return { items: await withNextAttempts(items, waiting), total };
}

export function findDelivery(tx: Tx, userId: string, id: string): Promise<DeliveryRow | null> {
  return tx.webhookDelivery.findFirst({ where: { id, userId }, include: WITH_BODY });
}

/** Starts a new series of attempts for an event, to the present webhook. The caller must hold the lock of the webhook. */
export async function insertSeries(
  tx: Tx,
  webhook: Webhook,
  { eventId, maxAttempts, isTest = false }: { eventId: string; maxAttempts: number; isTest?: boolean },
): Promise<Delivery> {
  const event = await tx.event.findUniqueOrThrow({ where: { id: eventId } });
  const { _max } = await tx.webhookDelivery.aggregate({
    where: { eventId, webhookId: webhook.id },
    _max: { series: true },
  });
  const row = await tx.webhookDelivery.create({
    data: {
      userId: webhook.userId,
      webhookId: webhook.id,
      webhookUrl: webhook.url,
      eventId,
      alertEventId: event.alertEventId,
      notificationType: event.type,
      severity: event.severity,
      deviceId: event.deviceId,
      sceneId: event.sceneId,
      maxAttempts,
      isFinalAttempt: maxAttempts === 1,
      series: (_max.series ?? 0) + 1,
      isTest,
    },
    include: WITH_BODY,
  });
  return { ...row, nextAttemptAt: row.dueAt };
}

/**
 * Cancels the scheduled attempts of an event. The caller must hold the lock of the webhook, so that no result schedules a further
 * attempt meanwhile.
 * @returns the attempt that is being made now; null when there is none
 */
export async function cancelAttempts(
  tx: Tx,
  { webhookId, eventId, now, why }: { webhookId: string; eventId: string; now: Date; why: string },
): Promise<Delivery | null> {
  // A locked row is being claimed or stored, so its attempt is in progress.
  await tx.$executeRaw`
    UPDATE "WebhookDelivery"
    SET status = 'failed', "isFinalAttempt" = true, "errorMessage" = ${why}, "claimedUntil" = NULL
    WHERE id IN (
      SELECT id FROM "WebhookDelivery"
      WHERE "eventId" = ${eventId}::uuid AND "webhookId" = ${webhookId}::uuid AND status = 'pending'
        AND ("claimedUntil" IS NULL OR "claimedUntil" <= ${now})
      FOR UPDATE SKIP LOCKED)`;
  const where = { eventId, webhookId, status: 'pending' } as const;
  const row = await tx.webhookDelivery.findFirst({ where, include: WITH_BODY });
  return row && { ...row, nextAttemptAt: row.dueAt };
}

/** The attempt that an event scheduled in this transaction. */
export async function removeDeliveries(tx: Tx, eventId: string): Promise<void> {
  await tx.webhookDelivery.deleteMany({ where: { eventId, status: 'pending' } });
}

/** Removes attempts before a time that are no longer pending. */
export const removeOldAttempts = (db: Db, before: Date): Promise<void> =>
  removeOld(db, { table: 'WebhookDelivery', before, only: Prisma.sql`t.status <> 'pending'` });

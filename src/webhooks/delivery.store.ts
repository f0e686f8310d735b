import { within } from '../http/fields.ts';
import { type Page, type PageQuery, rowsOf } from '../http/paging.ts';
import type { Db, Tx } from '../platform/db.ts';
import type { DeliveryStatus, Webhook, WebhookDelivery } from '../platform/prisma-client/client.ts';

/** An attempt with the exact bytes it sends. */
export type Delivery = WebhookDelivery & { readonly event: { readonly body: Uint8Array } };

const WITH_BODY = { event: { select: { body: true } } } as const;

export interface DeliveryFilter extends PageQuery {
  readonly status?: DeliveryStatus | undefined;
  readonly deviceId?: string | undefined;
  readonly sceneId?: string | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
}

/** A user's attempts, newest first; those to a webhook deleted since are kept as long as the others. */
export async function listDeliveries(
  db: Db,
  userId: string,
  filter: DeliveryFilter,
): Promise<Page<Delivery>> {
  const createdAt = within(filter);
  const where = {
    userId,
    ...(filter.status && { status: filter.status }),
    ...(filter.deviceId && { deviceId: filter.deviceId }),
    ...(filter.sceneId && { sceneId: filter.sceneId }),
    ...(createdAt && { createdAt }),
  };
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const [items, total] = await Promise.all([
    db.webhookDelivery.findMany({ where, orderBy, include: WITH_BODY, ...rowsOf(filter) }),
    db.webhookDelivery.count({ where }),
  ]);
  return { items, total };
}

export function findDelivery(tx: Tx, userId: string, id: string): Promise<Delivery | null> {
  return tx.webhookDelivery.findFirst({ where: { id, userId }, include: WITH_BODY });
}

/** A new series of attempts at an event, to the webhook as it is now. Call it with the webhook locked. */
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
  return tx.webhookDelivery.create({
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
}

/** What an event had scheduled in this very transaction. */
export async function removeDeliveries(tx: Tx, eventId: string): Promise<void> {
  await tx.webhookDelivery.deleteMany({ where: { eventId, status: 'pending' } });
}

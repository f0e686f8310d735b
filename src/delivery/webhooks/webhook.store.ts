import type { Db, Tx } from '../../platform/database/db.ts';
import type { Webhook } from '../../platform/prisma-client/client.ts';
import type { EventType } from '../events/catalogue.ts';

export type { Webhook };

const own = (userId: string) => ({ userId, deletedAt: null });

export function findWebhook(db: Db, userId: string): Promise<Webhook | null> {
  return db.webhook.findFirst({ where: own(userId) });
}

/** Locks the webhook: changes of it and new deliveries wait for the end of this transaction. */
export async function lockWebhook(tx: Tx, userId: string): Promise<Webhook | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM "Webhook" WHERE "userId" = ${userId}::uuid AND "deletedAt" IS NULL FOR UPDATE`;
  return row ? tx.webhook.findUnique({ where: { id: row.id } }) : null;
}

export interface WebhookColumns {
  readonly url?: string;
  readonly name?: string | null;
  readonly subscribedTypes?: EventType[];
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  readonly status?: Webhook['status'];
  readonly disabledAt?: Date | null;
  readonly disabledReason?: string | null;
  readonly failingSince?: Date | null;
  readonly secretEncrypted?: string;
  readonly secretLast4?: string;
  readonly previousSecretEncrypted?: string;
  readonly previousSecretValidUntil?: Date;
}

/** @throws a unique violation when the user has a webhook */
export function insertWebhook(
  db: Tx,
  userId: string,
  columns: WebhookColumns & { url: string; secretEncrypted: string; secretLast4: string },
): Promise<Webhook> {
  return db.webhook.create({ data: { ...columns, userId } });
}

export function updateWebhook(tx: Tx, id: string, columns: WebhookColumns): Promise<Webhook> {
  return tx.webhook.update({ where: { id }, data: columns });
}

/** Deletes the webhook and cancels its scheduled deliveries. @returns false when there was no webhook */
export function removeWebhook(db: Db, userId: string, at: Date): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const webhook = await lockWebhook(tx, userId);
    if (!webhook) return false;
    await tx.webhook.update({ where: { id: webhook.id }, data: { deletedAt: at } });
    await tx.webhookDelivery.updateMany({
      // The process that makes an attempt now stores its result.
      where: { webhookId: webhook.id, status: 'pending', claimedUntil: null },
      data: { status: 'failed', isFinalAttempt: true, errorMessage: 'The webhook was deleted.' },
    });
    return true;
  });
}

import { firstOf } from '../../catalogue/items/items.ts';
import type { Db } from '../../platform/database/db.ts';
import { type EventType, Prisma } from '../../platform/prisma-client/client.ts';
import { dueAttempts, type Outbox, updateHealth, type Wanted } from '../outbox/claim.store.ts';

/** An attempt that this process has claimed. */
export interface Attempt {
  readonly id: string;
  readonly userId: string;
  readonly claimedUntil: Date;
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly eventId: string;
  readonly eventType: EventType;
  /** The alert event that the event is about; null of other events. */
  readonly alertEventId: string | null;
  readonly body: Uint8Array;
  readonly url: string;
  readonly timeoutMs: number;
  readonly secretEncrypted: string;
  readonly previousSecretEncrypted: string | null;
  readonly previousSecretValidUntil: Date | null;
  /** Why it must not be made; null when it may be made. */
  readonly obstacle: 'deleted' | 'disabled' | null;
  /** Whether the last attempts to its receiver failed. */
  readonly isFailing: boolean;
}

const OUTBOX: Outbox = {
  table: Prisma.sql`"WebhookDelivery"`,
  receiver: Prisma.sql`"userId"`,
  waiting: Prisma.sql`d.status = 'pending'`,
  health: Prisma.sql`"Webhook" w ON w."userId" = receivers.id AND w."deletedAt" IS NULL`,
};

/** Claims attempts that are due, from every user in turn. */
export function claimAttempts(db: Db, wanted: Wanted): Promise<Attempt[]> {
  const { now, marginMs } = wanted;
  return db.$queryRaw<Attempt[]>`
    WITH RECURSIVE ${dueAttempts(wanted, OUTBOX)}
    UPDATE "WebhookDelivery" d
    SET "claimedUntil" = ${now}::timestamptz + make_interval(secs => (w."timeoutMs" + ${marginMs}::int) / 1000.0)
    FROM taken, "Webhook" w, "User" u, "Event" e
    WHERE d.id = taken.id AND w.id = d."webhookId" AND u.id = d."userId" AND e.id = d."eventId"
    RETURNING d.id, d."userId", d."claimedUntil", d."attemptNumber", d."maxAttempts", d."eventId",
              d."notificationType" AS "eventType", d."alertEventId", e.body, w.url, w."timeoutMs", w."secretEncrypted",
              w."previousSecretEncrypted", w."previousSecretValidUntil", taken.failing AS "isFailing",
              CASE WHEN w."deletedAt" IS NOT NULL OR u."deletedAt" IS NOT NULL THEN 'deleted'
                   WHEN w.status = 'disabled' THEN 'disabled' END AS obstacle`;
}

/** The result of an attempt. */
export interface Outcome {
  readonly status: 'success' | 'failed';
  readonly httpStatusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly responseBody: string | null;
  readonly errorMessage: string | null;
  /** When it began; null when it was not made. */
  readonly attemptedAt: Date | null;
  /** Time of the next attempt; null when there is none. */
  readonly nextDueAt: Date | null;
  /** Why the webhook must be disabled; null otherwise. */
  readonly disable: string | null;
}

/**
 * Stores the result of an attempt, schedules the next one and updates the health of the webhook, in one transaction.
 * @returns false when the claim has ended: another process makes the attempt again and stores its result
 */
export async function recordAttempt(db: Db, attempt: Attempt, outcome: Outcome): Promise<boolean> {
  const { attemptedAt, nextDueAt, disable } = outcome;
  const succeeded = outcome.status === 'success';
  const health = updateHealth(
    { attemptedAt, succeeded, disable },
    {
      receivers: Prisma.sql`"Webhook"`,
      receiver: Prisma.sql`"webhookId"`,
      // What the attempt says about another address does not count.
      only: Prisma.sql`w.url = ${attempt.url}`,
    },
  );
  const row = firstOf(
    await db.$queryRaw<{ recorded: boolean }[]>`
    WITH done AS (
      UPDATE "WebhookDelivery"
      SET status = ${outcome.status}::"DeliveryStatus", "httpStatusCode" = ${outcome.httpStatusCode}::int,
          "responseTimeMs" = ${outcome.responseTimeMs}::int, "responseBody" = ${outcome.responseBody},
          "errorMessage" = ${outcome.errorMessage}, "attemptedAt" = ${attemptedAt}::timestamptz,
          "isFinalAttempt" = ${nextDueAt === null}, "claimedUntil" = NULL,
          "webhookUrl" = CASE WHEN ${attemptedAt === null} THEN "webhookUrl" ELSE ${attempt.url} END
      WHERE id = ${attempt.id}::uuid AND status = 'pending' AND "claimedUntil" = ${attempt.claimedUntil}
      RETURNING *),
    next AS (
      INSERT INTO "WebhookDelivery" ("userId", "webhookId", "webhookUrl", "eventId", "alertEventId",
                                     "notificationType", severity, "deviceId", "sceneId", "attemptNumber",
                                     "maxAttempts", "isFinalAttempt", series, "isTest", "dueAt")
      SELECT "userId", "webhookId", "webhookUrl", "eventId", "alertEventId", "notificationType", severity, "deviceId",
             "sceneId", "attemptNumber" + 1, "maxAttempts", "attemptNumber" + 1 >= "maxAttempts", series, "isTest",
             ${nextDueAt}::timestamptz
      FROM done WHERE ${nextDueAt !== null}),
    health AS (${health})
    SELECT EXISTS (SELECT 1 FROM done) AS recorded`,
  );
  return row.recorded;
}

/** Releases an attempt that was not completed, so that another process makes it again. */
export async function releaseAttempt(db: Db, { id, claimedUntil }: Attempt): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { id, claimedUntil, status: 'pending' },
    data: { claimedUntil: null },
  });
}

import type { Db, Tx } from '../../../platform/database/db.ts';
import type { Webhook } from '../../../platform/prisma-client/client.ts';

export interface Recovered {
  readonly scheduled: number;
  readonly remaining: number;
}

/**
 * Starts a new series of attempts for each event whose delivery failed finally in the range, was never accepted and waits for no
 * attempt, the oldest first. The caller must hold the lock of the webhook. Repeating it schedules nothing twice.
 */
export async function insertFailedAgain(
  tx: Tx,
  { id, userId, url, maxRetries, subscribedTypes }: Webhook,
  { since, until, atMost }: { since: Date; until: Date; atMost: number },
): Promise<Recovered> {
  const [row] = await tx.$queryRaw<[Recovered]>`
    WITH failed AS (
      SELECT d."eventId", max(d."createdAt") AS at FROM "WebhookDelivery" d
      WHERE d."userId" = ${userId}::uuid AND d.status = 'failed' AND d."isFinalAttempt" AND NOT d."isTest"
        AND d."createdAt" >= ${since} AND d."createdAt" < ${until}
        AND (cardinality(${subscribedTypes}::text[]) = 0 OR d."notificationType"::text = ANY(${subscribedTypes}::text[]))
        AND NOT EXISTS (
          SELECT 1 FROM "WebhookDelivery" o WHERE o."eventId" = d."eventId" AND o.status IN ('pending', 'success'))
      GROUP BY d."eventId"),
    oldest AS (
      SELECT "eventId", row_number() OVER (ORDER BY at, "eventId") AS place FROM failed
      ORDER BY at, "eventId" LIMIT ${atMost}),
    made AS (
      INSERT INTO "WebhookDelivery" ("userId", "webhookId", "webhookUrl", "eventId", "alertEventId", "notificationType",
        severity, "deviceId", "sceneId", "maxAttempts", "isFinalAttempt", series, "dueAt")
      SELECT e."userId", ${id}::uuid, ${url}, e.id, e."alertEventId", e.type, e.severity, e."deviceId", e."sceneId",
             ${maxRetries + 1}::int, ${maxRetries === 0},
             1 + coalesce((SELECT max(o.series) FROM "WebhookDelivery" o
                           WHERE o."eventId" = e.id AND o."webhookId" = ${id}::uuid), 0),
             -- In this order.
             now() + place * interval '1 ms'
      FROM oldest JOIN "Event" e ON e.id = oldest."eventId"
      RETURNING 1)
    SELECT (SELECT count(*) FROM made)::int AS scheduled,
           (SELECT count(*) FROM failed)::int - (SELECT count(*) FROM made)::int AS remaining`;
  return row;
}

export interface DeliveryCounts {
  /** From 1; null for the whole range. */
  readonly bucket: number | null;
  readonly success: number;
  readonly failed: number;
  readonly p50ResponseMs: number | null;
  readonly p95ResponseMs: number | null;
}

/** Counts the attempts of a user between the first and the last edge, by bucket and together, without test deliveries. */
export function countDeliveries(
  db: Db,
  userId: string,
  { from, to, edges }: { from: Date; to: Date; edges: readonly Date[] },
): Promise<DeliveryCounts[]> {
  return db.$queryRaw<DeliveryCounts[]>`
    SELECT bucket, count(*) FILTER (WHERE status = 'success')::int AS success,
           count(*) FILTER (WHERE status = 'failed')::int AS failed,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY "responseTimeMs") AS "p50ResponseMs",
           percentile_cont(0.95) WITHIN GROUP (ORDER BY "responseTimeMs") AS "p95ResponseMs"
    FROM (
      SELECT width_bucket("createdAt", ${[...edges]}::timestamptz[]) AS bucket, status, "responseTimeMs"
      FROM "WebhookDelivery"
      WHERE "userId" = ${userId}::uuid AND "createdAt" >= ${from} AND "createdAt" < ${to} AND NOT "isTest"
        AND "attemptedAt" IS NOT NULL AND status <> 'pending') made
    GROUP BY GROUPING SETS ((bucket), ())`;
}

import type { Db } from '../../../platform/database/db.ts';

/** What waits for background jobs, of all users. Ages in milliseconds by the clock of the database; null without any. */
export interface Backlog {
  readonly now: Date;
  readonly dueDeliveries: number;
  readonly oldestDueAgeMs: number | null;
  readonly pendingInsights: number;
  readonly oldestPendingAgeMs: number | null;
  /** Notifications that are due. */
  readonly dueMessages: number;
  readonly oldestMessageAgeMs: number | null;
}

export async function readBacklog(db: Db): Promise<Backlog> {
  const [row] = await db.$queryRaw<[Backlog]>`
    SELECT now() AS now, deliveries.many AS "dueDeliveries",
           (extract(epoch FROM now() - deliveries.oldest) * 1000)::float8 AS "oldestDueAgeMs",
           insights.many AS "pendingInsights",
           (extract(epoch FROM now() - insights.oldest) * 1000)::float8 AS "oldestPendingAgeMs",
           messages.many AS "dueMessages",
           (extract(epoch FROM now() - messages.oldest) * 1000)::float8 AS "oldestMessageAgeMs"
    FROM (SELECT count(*)::int AS many, min("dueAt") AS oldest FROM "WebhookDelivery"
          WHERE status = 'pending' AND "dueAt" <= now()) deliveries,
         (SELECT count(*)::int AS many, min("createdAt") AS oldest FROM "Insight" WHERE "vlmStatus" = 'pending') insights,
         (SELECT count(*)::int AS many, min("dueAt") AS oldest FROM "Notification"
          WHERE status = 'pending' AND "dueAt" <= now()) messages`;
  return row;
}

/** The clock of the database. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const [row] = await db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return row.now;
}

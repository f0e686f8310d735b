import type { Db } from '../platform/database/db.ts';
import type { EventType } from '../platform/prisma-client/client.ts';

/** An attempt that is ours to make until its claim ends. */
export interface Attempt {
  readonly id: string;
  readonly userId: string;
  readonly claimedUntil: Date;
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly body: Uint8Array;
  readonly url: string;
  readonly timeoutMs: number;
  readonly secretEncrypted: string;
  readonly previousSecretEncrypted: string | null;
  readonly previousSecretValidUntil: Date | null;
  /** Why it must not be made; null when it may. */
  readonly obstacle: 'deleted' | 'disabled' | null;
  /** Nothing has reached its receiver lately. */
  readonly isFailing: boolean;
}

export interface Wanted {
  readonly now: Date;
  /** What has been due for less is not taken. */
  readonly patienceMs: number;
  /** Attempts to take at most, those to failing receivers included. */
  readonly free: number;
  readonly freeForFailing: number;
  /** Attempts of one user at the same time. */
  readonly perUser: number;
  readonly perFailingUser: number;
  /** How many attempts of which users are being made here. */
  readonly busy: ReadonlyMap<string, number>;
  /** A claim lasts for the attempt's deadline and this long. */
  readonly marginMs: number;
}

/**
 * Takes what is due, from every user in turn, so that a long queue of one is not in the way of another. Attempts that
 * somebody has claimed are left out until the claim ends.
 */
export function claimAttempts(db: Db, wanted: Wanted): Promise<Attempt[]> {
  const { now, free, freeForFailing, perUser, perFailingUser, busy, marginMs } = wanted;
  const dueUntil = new Date(now.getTime() - wanted.patienceMs);
  return db.$queryRaw<Attempt[]>`
    WITH RECURSIVE users AS (
      (SELECT "userId" FROM "WebhookDelivery" WHERE status = 'pending' ORDER BY "userId" LIMIT 1)
      UNION ALL
      SELECT (SELECT d."userId" FROM "WebhookDelivery" d
              WHERE d.status = 'pending' AND d."userId" > users."userId" ORDER BY d."userId" LIMIT 1)
      FROM users WHERE users."userId" IS NOT NULL),
    due AS (
      SELECT d.id, d."userId", d."dueAt", w."failingSince" IS NOT NULL AS failing
      FROM users
      LEFT JOIN unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) AS b (id, count)
        ON b.id = users."userId"
      LEFT JOIN "Webhook" w ON w."userId" = users."userId" AND w."deletedAt" IS NULL
      CROSS JOIN LATERAL (
        SELECT * FROM "WebhookDelivery" d
        WHERE d."userId" = users."userId" AND d.status = 'pending' AND d."dueAt" <= ${dueUntil}
          AND (d."claimedUntil" IS NULL OR d."claimedUntil" <= ${now})
        ORDER BY d."dueAt"
        LIMIT greatest(0, CASE WHEN w."failingSince" IS NULL THEN ${perUser}::int ELSE ${perFailingUser}::int END
                          - coalesce(b.count, 0))
        FOR UPDATE SKIP LOCKED) d),
    turns AS (
      SELECT *, row_number() OVER (PARTITION BY "userId" ORDER BY "dueAt") AS turn FROM due),
    places AS (
      SELECT *, row_number() OVER (PARTITION BY failing ORDER BY turn, "dueAt") AS place FROM turns),
    taken AS (
      SELECT id, failing FROM places WHERE NOT failing OR place <= ${freeForFailing}::int
      ORDER BY failing, place LIMIT ${free}::int)
    UPDATE "WebhookDelivery" d
    SET "claimedUntil" = ${now}::timestamptz + make_interval(secs => (w."timeoutMs" + ${marginMs}::int) / 1000.0)
    FROM taken, "Webhook" w, "User" u, "Event" e
    WHERE d.id = taken.id AND w.id = d."webhookId" AND u.id = d."userId" AND e.id = d."eventId"
    RETURNING d.id, d."userId", d."claimedUntil", d."attemptNumber", d."maxAttempts", d."eventId",
              d."notificationType" AS "eventType", e.body, w.url, w."timeoutMs", w."secretEncrypted",
              w."previousSecretEncrypted", w."previousSecretValidUntil", taken.failing AS "isFailing",
              CASE WHEN w."deletedAt" IS NOT NULL OR u."deletedAt" IS NOT NULL THEN 'deleted'
                   WHEN w.status = 'disabled' THEN 'disabled' END AS obstacle`;
}

/** What became of an attempt. */
export interface Outcome {
  readonly status: 'success' | 'failed';
  readonly httpStatusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly responseBody: string | null;
  readonly errorMessage: string | null;
  /** When it was begun; null when it was not made. */
  readonly attemptedAt: Date | null;
  /** Of the attempt after it; null: there is none. */
  readonly nextDueAt: Date | null;
  /** Why nothing more is to be sent to this address; null otherwise. */
  readonly disable: string | null;
}

/** Nothing but failures for this long disables a webhook. */
const GIVE_UP_HOURS = 120;
const GIVE_UP_REASON = `Every delivery failed for ${GIVE_UP_HOURS} hours.`;

/**
 * Writes down an attempt, schedules the next and keeps the webhook's health, all or nothing.
 * @returns false when the attempt is not ours any more: somebody else makes it again and writes it down
 */
export async function recordAttempt(db: Db, attempt: Attempt, outcome: Outcome): Promise<boolean> {
  const { attemptedAt, nextDueAt, disable } = outcome;
  const succeeded = outcome.status === 'success';
  const giveUpBefore = attemptedAt && new Date(attemptedAt.getTime() - GIVE_UP_HOURS * 3_600_000);
  const [row] = await db.$queryRaw<{ recorded: boolean }[]>`
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
    health AS (
      UPDATE "Webhook" w
      SET "failingSince" = CASE WHEN ${succeeded} THEN NULL ELSE coalesce(w."failingSince", ${attemptedAt}::timestamptz) END,
          status = CASE WHEN f.reason IS NULL THEN w.status ELSE 'disabled' END,
          "disabledAt" = CASE WHEN f.reason IS NULL THEN w."disabledAt" ELSE ${attemptedAt}::timestamptz END,
          "disabledReason" = coalesce(f.reason, w."disabledReason")
      FROM done
      CROSS JOIN LATERAL (SELECT coalesce(${disable}::text, CASE WHEN NOT ${succeeded} AND
        (SELECT v."failingSince" FROM "Webhook" v WHERE v.id = done."webhookId") <= ${giveUpBefore}::timestamptz
        THEN ${GIVE_UP_REASON}::text END) AS reason) f
      WHERE w.id = done."webhookId" AND ${attemptedAt !== null} AND w.url = ${attempt.url} AND w.status = 'enabled'
        AND (f.reason IS NOT NULL OR (w."failingSince" IS NULL) <> ${succeeded}))
    SELECT EXISTS (SELECT 1 FROM done) AS recorded`;
  return row!.recorded;
}

/** Gives an attempt back that was not made to its end: another deliverer makes it again. */
export async function releaseAttempt(db: Db, { id, claimedUntil }: Attempt): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { id, claimedUntil, status: 'pending' },
    data: { claimedUntil: null },
  });
}

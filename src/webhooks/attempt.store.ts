import type { Db } from '../platform/database/db.ts';
import type { EventType } from '../platform/prisma-client/client.ts';

/** An attempt that this process has claimed. */
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
  /** Why it must not be made; null when it may be made. */
  readonly obstacle: 'deleted' | 'disabled' | null;
  /** Whether the last attempts to its receiver failed. */
  readonly isFailing: boolean;
}

export interface Wanted {
  readonly now: Date;
  /** Attempts that became due more recently than this are not claimed. */
  readonly patienceMs: number;
  /** Most attempts to claim, including those to failing receivers. */
  readonly free: number;
  readonly freeForFailing: number;
  /** Most attempts of one user at the same time. */
  readonly perUser: number;
  readonly perFailingUser: number;
  /** For each user the number of attempts that this process makes now. */
  readonly busy: ReadonlyMap<string, number>;
  /** A claim lasts this much longer than the time limit of its attempt. */
  readonly marginMs: number;
}

/**
 * Claims attempts that are due, from every user in turn, so that a long queue of one user does not delay others. Attempts with a
 * claim of another process are skipped until that claim ends.
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

/** A webhook is disabled after failures alone for this time. */
const GIVE_UP_HOURS = 120;
const GIVE_UP_REASON = `Every delivery failed for ${GIVE_UP_HOURS} hours.`;

/**
 * Stores the result of an attempt, schedules the next one and updates the health of the webhook, in one transaction.
 * @returns false when the claim has ended: another process makes the attempt again and stores its result
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

/** Releases an attempt that was not completed, so that another process makes it again. */
export async function releaseAttempt(db: Db, { id, claimedUntil }: Attempt): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { id, claimedUntil, status: 'pending' },
    data: { claimedUntil: null },
  });
}

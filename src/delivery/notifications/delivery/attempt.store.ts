import { firstOf } from '../../../catalogue/items/items.ts';
import type { Db } from '../../../platform/database/db.ts';
import {
  type ChannelKind,
  type NotificationKind,
  Prisma,
  type Severity,
} from '../../../platform/prisma-client/client.ts';
import { dueAttempts, type Outbox, updateHealth, type Wanted } from '../../outbox/claim.store.ts';
import type { ClaimedAttempt, MadeAttempt } from '../../outbox/deliverer.ts';

/** An attempt that this process has claimed. */
export interface Attempt extends ClaimedAttempt {
  readonly userId: string;
  readonly channelId: string;
  readonly channelKind: ChannelKind;
  readonly subscriptionId: string | null;
  readonly claimedUntil: Date;
  readonly messageId: string;
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly kind: NotificationKind;
  readonly severity: Severity | null;
  readonly deviceId: string | null;
  readonly alertEventId: string | null;
  readonly eventIds: readonly string[];
  readonly eventCount: number;
  readonly since: Date | null;
  readonly contentEncrypted: string | null;
  /** Of an e-mail. */
  readonly address: string;
  /** Of the code that confirms the address; null when none is awaited. */
  readonly codeHash: Uint8Array | null;
  /** Of a browser. */
  readonly subscriptionEncrypted: string | null;
  readonly locale: string | null;
  /** Why it must not be made; null when it may be made. */
  readonly obstacle: 'deleted' | 'unconfirmed' | 'confirmed' | 'expired' | 'disabled' | 'unsubscribed' | null;
}

const outboxOf = (kind: ChannelKind): Outbox => ({
  table: Prisma.sql`"Notification"`,
  receiver: Prisma.sql`"channelId"`,
  waiting: Prisma.sql`d.status = 'pending' AND d."channelKind" = ${kind}::"ChannelKind"`,
  health: Prisma.sql`"NotificationChannel" w ON w.id = receivers.id`,
});

/** Claims attempts over channels of a kind that are due, from every channel and user in turn. @param limitMs of an attempt */
export function claimAttempts(
  db: Db,
  wanted: Wanted,
  { kind, limitMs }: { kind: ChannelKind; limitMs: number },
): Promise<Attempt[]> {
  const until = new Date(wanted.now.getTime() + limitMs + wanted.marginMs);
  return db.$queryRaw<Attempt[]>`
    WITH RECURSIVE ${dueAttempts(wanted, outboxOf(kind))}
    UPDATE "Notification" d
    SET "claimedUntil" = ${until}
    FROM taken, "NotificationChannel" c, "User" u
    WHERE d.id = taken.id AND c.id = d."channelId" AND u.id = d."userId"
    RETURNING d.id, d."userId", d."channelId", d."channelKind", d."subscriptionId", d."claimedUntil", d."messageId",
              d."attemptNumber", d."maxAttempts", d.kind, d.severity, d."deviceId", d."alertEventId",
              coalesce(d."eventIds", '{}')::text[] AS "eventIds", d."eventCount", d.since, d."contentEncrypted",
              c.address, c."codeHash", c."subscriptionEncrypted", u.locale, taken.failing AS "isFailing",
              CASE WHEN u."deletedAt" IS NOT NULL THEN 'deleted'
                   WHEN d.kind = 'confirmation' THEN CASE WHEN c.status = 'enabled' THEN 'confirmed'
                                                         WHEN c."codeExpiresAt" <= ${wanted.now} THEN 'expired' END
                   WHEN c.status <> 'enabled' THEN c.status::text
                   WHEN d."eventCount" > 0 AND NOT EXISTS (
                     SELECT 1 FROM "NotificationSubscription" s WHERE s.id = d."subscriptionId" AND s."isEnabled")
                   THEN 'unsubscribed' END AS obstacle`;
}

/** The result of an attempt. */
export interface Outcome extends MadeAttempt {
  readonly responseCode: number | null;
  readonly responseTimeMs: number | null;
  readonly responseBody: string | null;
  readonly errorMessage: string | null;
  /** Time of the next attempt; null when there is none. */
  readonly nextDueAt: Date | null;
  /** Why the channel must be disabled; null otherwise. */
  readonly disable: string | null;
  /** Whether it says something about the channel: a mail server that is down says nothing about an address. */
  readonly isAboutChannel: boolean;
}

/**
 * Stores the result of an attempt, schedules the next one and updates the health of the channel, in one transaction.
 * @returns false when the claim has ended or the channel was deleted
 */
export async function recordAttempt(db: Db, attempt: Attempt, outcome: Outcome): Promise<boolean> {
  const { attemptedAt, nextDueAt, disable, isAboutChannel } = outcome;
  const health = updateHealth(
    {
      attemptedAt: isAboutChannel ? attemptedAt : null,
      succeeded: outcome.status === 'success',
      disable,
    },
    {
      receivers: Prisma.sql`"NotificationChannel"`,
      receiver: Prisma.sql`"channelId"`,
      only: Prisma.sql`true`,
    },
  );
  const row = firstOf(
    await db.$queryRaw<{ recorded: boolean }[]>`
    WITH done AS (
      UPDATE "Notification"
      SET status = ${outcome.status}::"DeliveryStatus", "responseCode" = ${outcome.responseCode}::int,
          "responseTimeMs" = ${outcome.responseTimeMs}::int, "responseBody" = ${outcome.responseBody},
          "errorMessage" = ${outcome.errorMessage}, "attemptedAt" = ${attemptedAt}::timestamptz,
          "isFinalAttempt" = ${nextDueAt === null}, "claimedUntil" = NULL, "contentEncrypted" = NULL
      WHERE id = ${attempt.id}::uuid AND status = 'pending' AND "claimedUntil" = ${attempt.claimedUntil}
      RETURNING *),
    next AS (
      INSERT INTO "Notification" ("userId", "channelId", "channelKind", "subscriptionId", "messageId", kind, severity,
                                  "deviceId", "sceneId", "alertEventId", "eventIds", "eventCount", since, "reportId",
                                  "contentEncrypted", "attemptNumber", "maxAttempts", "isFinalAttempt", "dueAt")
      SELECT "userId", "channelId", "channelKind", "subscriptionId", "messageId", kind, severity, "deviceId", "sceneId",
             "alertEventId", "eventIds", "eventCount", since, "reportId", ${attempt.contentEncrypted}, "attemptNumber" + 1,
             "maxAttempts", "attemptNumber" + 1 >= "maxAttempts", ${nextDueAt}::timestamptz
      FROM done WHERE ${nextDueAt !== null}),
    health AS (${health})
    SELECT EXISTS (SELECT 1 FROM done) AS recorded`,
  );
  return row.recorded;
}

/** Releases an attempt that was not completed, so that another process makes it again. */
export async function releaseAttempt(db: Db, { id, claimedUntil }: Attempt): Promise<void> {
  await db.notification.updateMany({
    where: { id, claimedUntil, status: 'pending' },
    data: { claimedUntil: null },
  });
}

import type { Db } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
import type { ClaimedAttempt, OutboxTable } from './claim.store.ts';

const { sql, empty } = Prisma;

/** The result of an attempt. */
export interface Outcome {
  readonly status: 'success' | 'failed';
  /** Of HTTP, or of the mail server. */
  readonly responseCode: number | null;
  readonly responseTimeMs: number | null;
  readonly responseBody: string | null;
  readonly errorMessage: string | null;
  /** When it began; null when it was not made. */
  readonly attemptedAt: Date | null;
  /** Time of the next attempt; null when there is none. */
  readonly nextDueAt: Date | null;
  /** Why the receiver must be disabled; null otherwise. */
  readonly disable: string | null;
  /** Whether it says something about the receiver: a mail server that is down says nothing about an address. */
  readonly isAboutReceiver: boolean;
}

/** A receiver is disabled after failures alone for this time. */
const GIVE_UP_HOURS = 120;
const GIVE_UP_REASON = `Every delivery failed for ${GIVE_UP_HOURS} hours.`;

/**
 * Stores the result of an attempt, schedules the next one and updates the health of the receiver (since when all attempts fail, and
 * that it is disabled), in one statement.
 * @returns false when the claim has ended: another process makes the attempt again and stores its result
 */
export async function recordAttempt<Attempt extends ClaimedAttempt>(
  db: Db,
  outbox: OutboxTable<Attempt>,
  attempt: Attempt,
  { status, attemptedAt, nextDueAt, disable, isAboutReceiver, ...seen }: Outcome,
): Promise<boolean> {
  const { table, receivers, receiverId, repeated } = outbox;
  const { made, notMade, nextColumns, nextValues, only } = outbox.change(attempt);
  const judgedAt = isAboutReceiver ? attemptedAt : null;
  // Only what this result needs: PostgreSQL plans the statement anew each time, which takes longer than to run it.
  const next =
    nextDueAt &&
    sql`, next AS (
      INSERT INTO ${table} (${repeated}, "userId", "maxAttempts", "attemptNumber", "isFinalAttempt", "dueAt"${nextColumns})
      SELECT ${repeated}, "userId", "maxAttempts", "attemptNumber" + 1, "attemptNumber" + 1 >= "maxAttempts",
             ${nextDueAt}::timestamptz${nextValues}
      FROM done)`;
  const isReceiver = sql`w.id = done.${receiverId} AND ${only} AND w.status = 'enabled'`;
  const works = sql`, health AS (
      UPDATE ${receivers} w SET "failingSince" = NULL FROM done WHERE ${isReceiver} AND w."failingSince" IS NOT NULL)`;
  const fails = (at: Date) => sql`, health AS (
      UPDATE ${receivers} w
      SET "failingSince" = coalesce(w."failingSince", ${at}::timestamptz),
          status = CASE WHEN f.reason IS NULL THEN w.status ELSE 'disabled' END,
          "disabledAt" = CASE WHEN f.reason IS NULL THEN w."disabledAt" ELSE ${at}::timestamptz END,
          "disabledReason" = coalesce(f.reason, w."disabledReason")
      FROM done
      CROSS JOIN LATERAL (SELECT coalesce(${disable}::text, CASE WHEN
        (SELECT v."failingSince" FROM ${receivers} v WHERE v.id = done.${receiverId})
          <= ${new Date(at.getTime() - GIVE_UP_HOURS * 3_600_000)}::timestamptz
        THEN ${GIVE_UP_REASON}::text END) AS reason) f
      WHERE ${isReceiver} AND (f.reason IS NOT NULL OR w."failingSince" IS NULL))`;
  const health = judgedAt && (status === 'success' ? works : fails(judgedAt));
  const [row] = await db.$queryRaw<[{ recorded: boolean }]>`
    WITH done AS (
      UPDATE ${table}
      SET status = ${status}::"DeliveryStatus", ${outbox.responseCode} = ${seen.responseCode}::int,
          "responseTimeMs" = ${seen.responseTimeMs}::int, "responseBody" = ${seen.responseBody},
          "errorMessage" = ${seen.errorMessage}, "attemptedAt" = ${attemptedAt}::timestamptz,
          "isFinalAttempt" = ${nextDueAt === null}, "claimedUntil" = NULL${attemptedAt === null ? notMade : made}
      WHERE id = ${attempt.id}::uuid AND status = 'pending' AND "claimedUntil" = ${attempt.claimedUntil}
      RETURNING *)${next ?? empty}${health ?? empty}
    SELECT EXISTS (SELECT 1 FROM done) AS recorded`;
  return row.recorded;
}

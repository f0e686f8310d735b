import { Prisma } from '../../platform/prisma-client/client.ts';

export interface Wanted {
  readonly now: Date;
  /** Attempts that became due more recently than this are not claimed. */
  readonly patienceMs: number;
  /** Most attempts to claim, including those to failing receivers. */
  readonly free: number;
  readonly freeForFailing: number;
  /** Most attempts to one receiver at the same time. */
  readonly perReceiver: number;
  readonly perFailingReceiver: number;
  /** For each receiver the number of attempts that this process makes now. */
  readonly busy: ReadonlyMap<string, number>;
  /** A claim lasts this much longer than the time limit of its attempt. */
  readonly marginMs: number;
}

/** The attempts of an outbox, a table with `id`, `userId`, `dueAt` and `claimedUntil`. */
export interface Outbox {
  readonly table: Prisma.Sql;
  /** The column that says to whom an attempt goes: each receiver gets a fair share. It needs an index of the waiting attempts. */
  readonly receiver: Prisma.Sql;
  /** Which rows `d` are attempts that wait. */
  readonly waiting: Prisma.Sql;
  /** What to join for the receiver, a table `w` with `failingSince`: `"Webhook" w ON w."userId" = receivers.id`. */
  readonly health: Prisma.Sql;
}

/**
 * Finds and locks attempts that are due, from every receiver and user in turn, so that a long queue of one does not delay others.
 * Attempts with a claim of another process are skipped until that claim ends.
 * @returns the queries of a WITH RECURSIVE; the last one is `taken (id, failing)`
 */
export function dueAttempts(wanted: Wanted, { table, receiver, waiting, health }: Outbox): Prisma.Sql {
  const { now, free, freeForFailing, perReceiver, perFailingReceiver, busy } = wanted;
  const dueUntil = new Date(now.getTime() - wanted.patienceMs);
  return Prisma.sql`
    receivers AS (
      (SELECT d.${receiver} AS id FROM ${table} d WHERE ${waiting} ORDER BY d.${receiver} LIMIT 1)
      UNION ALL
      SELECT (SELECT d.${receiver} FROM ${table} d
              WHERE ${waiting} AND d.${receiver} > receivers.id ORDER BY d.${receiver} LIMIT 1)
      FROM receivers WHERE receivers.id IS NOT NULL),
    due AS (
      SELECT d.id, d."userId", d."dueAt", w."failingSince" IS NOT NULL AS failing
      FROM receivers
      LEFT JOIN unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) AS b (id, count)
        ON b.id = receivers.id
      LEFT JOIN ${health}
      CROSS JOIN LATERAL (
        SELECT * FROM ${table} d
        WHERE d.${receiver} = receivers.id AND ${waiting} AND d."dueAt" <= ${dueUntil}
          AND (d."claimedUntil" IS NULL OR d."claimedUntil" <= ${now})
        ORDER BY d."dueAt"
        LIMIT greatest(0, CASE WHEN w."failingSince" IS NULL THEN ${perReceiver}::int ELSE ${perFailingReceiver}::int END
                          - coalesce(b.count, 0))
        FOR UPDATE SKIP LOCKED) d),
    turns AS (
      SELECT *, row_number() OVER (PARTITION BY "userId" ORDER BY "dueAt") AS turn FROM due),
    places AS (
      SELECT *, row_number() OVER (PARTITION BY failing ORDER BY turn, "dueAt") AS place FROM turns),
    taken AS (
      SELECT id, failing FROM places WHERE NOT failing OR place <= ${freeForFailing}::int
      ORDER BY failing, place LIMIT ${free}::int)`;
}

/** A receiver is disabled after failures alone for this time. */
const GIVE_UP_HOURS = 120;
const GIVE_UP_REASON = `Every delivery failed for ${GIVE_UP_HOURS} hours.`;

export interface Health {
  /** Null when the attempt was not made. */
  readonly attemptedAt: Date | null;
  readonly succeeded: boolean;
  /** Why the receiver must be disabled; null otherwise. */
  readonly disable: string | null;
}

/**
 * The statement that updates the health of a receiver after an attempt, which is the one row of `done`: since when all attempts
 * fail, and that it is disabled. Part of a WITH.
 * @param receivers the table of the receivers, with `status`, `failingSince`, `disabledAt` and `disabledReason`
 * @param receiver the column of `done` with the receiver's id
 * @param only what else must hold for a receiver `w`
 */
export function updateHealth(
  { attemptedAt, succeeded, disable }: Health,
  { receivers, receiver, only }: { receivers: Prisma.Sql; receiver: Prisma.Sql; only: Prisma.Sql },
): Prisma.Sql {
  const giveUpBefore = attemptedAt && new Date(attemptedAt.getTime() - GIVE_UP_HOURS * 3_600_000);
  return Prisma.sql`
      UPDATE ${receivers} w
      SET "failingSince" = CASE WHEN ${succeeded} THEN NULL ELSE coalesce(w."failingSince", ${attemptedAt}::timestamptz) END,
          status = CASE WHEN f.reason IS NULL THEN w.status ELSE 'disabled' END,
          "disabledAt" = CASE WHEN f.reason IS NULL THEN w."disabledAt" ELSE ${attemptedAt}::timestamptz END,
          "disabledReason" = coalesce(f.reason, w."disabledReason")
      FROM done
      CROSS JOIN LATERAL (SELECT coalesce(${disable}::text, CASE WHEN NOT ${succeeded} AND
        (SELECT v."failingSince" FROM ${receivers} v WHERE v.id = done.${receiver}) <= ${giveUpBefore}::timestamptz
        THEN ${GIVE_UP_REASON}::text END) AS reason) f
      WHERE w.id = done.${receiver} AND ${attemptedAt !== null} AND ${only} AND w.status = 'enabled'
        AND (f.reason IS NOT NULL OR (w."failingSince" IS NULL) <> ${succeeded})`;
}

import type { Db } from '../../platform/database/db.ts';
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

/** An attempt that this process has claimed. */
export interface ClaimedAttempt {
  readonly id: string;
  readonly userId: string;
  readonly claimedUntil: Date;
  /** From 1. */
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  /** Whether the last attempts to its receiver failed. */
  readonly isFailing: boolean;
  /** Why it must not be made: a name of a sentence of its outbox; null when it may be made. */
  readonly obstacle: string | null;
}

/**
 * Where attempts of one kind are stored: a table `d` with `id`, `userId`, `status`, `dueAt`, `claimedUntil`, `attemptedAt`,
 * `attemptNumber`, `maxAttempts`, `isFinalAttempt`, `responseTimeMs`, `responseBody` and `errorMessage`.
 */
export interface OutboxTable<Attempt extends ClaimedAttempt> {
  readonly table: Prisma.Sql;
  /** The column that says to whom an attempt goes: each receiver gets a fair share. It needs an index of the waiting attempts. */
  readonly receiver: Prisma.Sql;
  /** Which rows `d` are attempts that wait. */
  readonly waiting: Prisma.Sql;
  /** What to join for the receiver, a table `w` with `failingSince`: `"Webhook" w ON w."userId" = receivers.id`. */
  readonly health: Prisma.Sql;
  /** What a claimed attempt needs of other tables, `"User" u`, and how they belong to it. */
  readonly from: Prisma.Sql;
  readonly where: Prisma.Sql;
  /** Columns of the attempt beside those of each one, with its `obstacle` at this time. */
  columns(now: Date): Prisma.Sql;
  /** Time limit of an attempt in milliseconds. */
  readonly limitMs: Prisma.Sql;
  /** The table of the receivers, with `status`, `failingSince`, `disabledAt` and `disabledReason`, and the column with their id. */
  readonly receivers: Prisma.Sql;
  readonly receiverId: Prisma.Sql;
  readonly responseCode: Prisma.Sql;
  /** Columns that each attempt takes over from the one before. */
  readonly repeated: Prisma.Sql;
  /** What a result changes beside the columns of each attempt. */
  change(attempt: Attempt): {
    /** `, column = value` of the attempt, where it was made and where it was not. */
    readonly made: Prisma.Sql;
    readonly notMade: Prisma.Sql;
    /** `, column` and `, value` of the next attempt. */
    readonly nextColumns: Prisma.Sql;
    readonly nextValues: Prisma.Sql;
    /** Which receiver `w` the result is about. */
    readonly only: Prisma.Sql;
  };
}

/**
 * Finds and locks attempts that are due, from every receiver and user in turn, so that a long queue of one does not delay others.
 * Attempts with a claim of another process are skipped until that claim ends.
 * @returns the queries of a WITH RECURSIVE; the last one is `taken (id, failing)`
 */
function dueAttempts(
  wanted: Wanted,
  { table, receiver, waiting, health }: Pick<OutboxTable<never>, 'table' | 'receiver' | 'waiting' | 'health'>,
): Prisma.Sql {
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

/** Claims attempts that are due, from every receiver and user in turn. */
export function claimAttempts<Attempt extends ClaimedAttempt>(
  db: Db,
  outbox: OutboxTable<Attempt>,
  wanted: Wanted,
): Promise<Attempt[]> {
  const { now, marginMs } = wanted;
  return db.$queryRaw<Attempt[]>`
    WITH RECURSIVE ${dueAttempts(wanted, outbox)}
    UPDATE ${outbox.table} d
    SET "claimedUntil" = ${now}::timestamptz + make_interval(secs => (${outbox.limitMs} + ${marginMs}::int) / 1000.0)
    FROM taken, ${outbox.from}
    WHERE d.id = taken.id AND ${outbox.where}
    RETURNING d.id, d."userId", d."claimedUntil", d."attemptNumber", d."maxAttempts", taken.failing AS "isFailing",
              ${outbox.columns(now)}`;
}

/** Releases an attempt that was not completed, so that another process makes it again. */
export async function releaseAttempt<Attempt extends ClaimedAttempt>(
  db: Db,
  { table }: OutboxTable<Attempt>,
  { id, claimedUntil }: Attempt,
): Promise<void> {
  await db.$executeRaw`
    UPDATE ${table} SET "claimedUntil" = NULL
    WHERE id = ${id}::uuid AND "claimedUntil" = ${claimedUntil} AND status = 'pending'`;
}

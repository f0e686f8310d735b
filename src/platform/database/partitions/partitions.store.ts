import { Prisma } from '../../prisma-client/client.ts';
import { isDatabaseBusy, isRightMissing } from '../database-away.ts';
import type { Db, Tx } from '../db.ts';

/** A table with one partition for each UTC day or month of `column`, and a default partition for all other times. */
export interface PartitionedTable {
  readonly table: string;
  readonly column: string;
  readonly width: 'day' | 'month';
  /** The columns of its unique index. Nothing else names a row: rows of two partitions may have the same ctid. */
  readonly key: readonly string[];
  /** The tables that its foreign keys lead to. */
  readonly parents: readonly string[];
}

/** A partition; null where it has no end. */
export interface Partition {
  readonly schema: string;
  readonly name: string;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly isDefault: boolean;
  /** Without its indexes. */
  readonly bytes: number;
}

/** The schema of the partitions. Prisma compares only the schema of the tables with its own. */
export const SCHEMA = 'partitions';
export const DAY_MS = 86_400_000;
/** Less than the second after which PostgreSQL looks for deadlocks: so the job gives way, and never a worker. */
const LOCK_MS = 300;

type Width = PartitionedTable['width'];

/** The start of the UTC day or month of a time. */
export function startOf(width: Width, time: Date): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  return new Date(Date.UTC(year, month, width === 'day' ? day : 1));
}

/** The end of the UTC day or month that starts at a time, or of the one that is so many further; -1: of the one before, which is `start`. */
export const endOf = (width: Width, start: Date, further = 0): Date =>
  width === 'day'
    ? new Date(start.getTime() + (1 + further) * DAY_MS)
    : new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1 + further));

export const quoted = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);
export const nameOf = ({ schema, name }: Pick<Partition, 'schema' | 'name'>): Prisma.Sql =>
  Prisma.raw(`"${schema}"."${name}"`);

/** The partitions of a table in the order of time; the default partition is the last. */
export function listPartitions(db: Db | Tx, { table }: PartitionedTable): Promise<Partition[]> {
  return db.$queryRaw<Partition[]>`
    SELECT schema, name, bytes, bound = 'DEFAULT' AS "isDefault",
           (regexp_match(bound, $$FROM \\('([^']+)'\\)$$))[1]::timestamptz AS "from",
           (regexp_match(bound, $$TO \\('([^']+)'\\)$$))[1]::timestamptz AS "to"
    FROM (SELECT n.nspname::text AS schema, c.relname::text AS name, pg_relation_size(c.oid)::float8 AS bytes,
                 pg_get_expr(c.relpartbound, c.oid) AS bound
          FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE i.inhparent = ${`"${table}"`}::regclass) p
    ORDER BY 4, 5 NULLS FIRST`;
}

/**
 * Why partitions could not be made or dropped. `busy`: another transaction holds a lock; the next run tries again. `elsewhere`:
 * another program does it.
 */
export type Refusal = 'busy' | 'no right' | 'elsewhere';

/** How long partitions may be refused by locks before a job reports it. */
export const PATIENCE_DAYS = 2;

/**
 * Runs a transaction, in one program at a time. It waits only a moment for locks, because everybody who asks later for the same
 * locks waits behind it.
 */
export async function attempt(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<Refusal | null> {
  try {
    return await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`;
      const [{ alone }] = await tx.$queryRaw<[{ alone: boolean }]>`
        SELECT pg_try_advisory_xact_lock(hashtext(${SCHEMA})) AS alone`;
      if (!alone) return 'elsewhere';
      await work(tx);
      return null;
    });
  } catch (error) {
    if (isRightMissing(error)) return 'no right';
    if (isDatabaseBusy(error)) return 'busy';
    throw error;
  }
}

/** Why partitions of a table are missing or stay, in one sentence. */
export const explain = (refusal: Exclude<Refusal, 'elsewhere'>, { table }: PartitionedTable): string =>
  refusal === 'busy'
    ? `Partitions of "${table}" can be neither made nor dropped, because other transactions hold the table.`
    : `The database role may not make or drop partitions of "${table}": its old rows are removed one by one. ` +
      `The role must own the table, or be a member of its owner, and may create tables in the schema "${SCHEMA}".`;

/** @throws Error with the first reason */
export function throwFirst(reasons: readonly (string | null)[]): void {
  const reason = reasons.find((each) => each !== null);
  if (reason) throw new Error(reason);
}

import { Prisma } from '../../prisma-client/client.ts';
import type { Db, Tx } from '../db.ts';
import {
  attempt,
  DAY_MS,
  endOf,
  explain,
  listPartitions,
  nameOf,
  PATIENCE_DAYS,
  type Partition,
  type PartitionedTable,
  quoted,
  SCHEMA,
  startOf,
} from './partitions.store.ts';

/** So many days after today, or months after this one, have a partition. */
export const AHEAD = { day: 7, month: 1 } as const;
/** Moving them takes some hundred milliseconds. */
const MOST_MOVED = 10_000;
/** A new partition is compared with all rows of the default partition, which nobody can read meanwhile. */
const LARGEST_DEFAULT_BYTES = 256 * 1024 * 1024;

const { sql } = Prisma;

/**
 * Makes the partitions of now and of the next days or months that are missing, and moves into them what the default partition holds of
 * their times. A day with more rows there stays in the default partition, and so does a day that another partition overlaps. Any
 * number of programs may do this at the same time.
 * @param options.mostBytes size of the default partition beside which none is made
 * @returns why partitions are missing, in one sentence; null where none is
 */
export async function createPartitions(
  db: Db,
  spec: PartitionedTable,
  now: Date,
  { mostBytes = LARGEST_DEFAULT_BYTES }: { readonly mostBytes?: number } = {},
): Promise<string | null> {
  const existing = await listPartitions(db, spec);
  const first = startOf(spec.width, now);
  const missing = Array.from({ length: AHEAD[spec.width] + 1 }, (_, at) => ({
    from: endOf(spec.width, first, at - 1),
    to: endOf(spec.width, first, at),
  })).filter((period) => !isTaken(existing, period));
  const largest = existing.find(({ isDefault, bytes }) => isDefault && bytes > mostBytes);
  if (largest && missing.length > 0) {
    const megabytes = Math.round(largest.bytes / 1e6);
    return (
      `The default partition of "${spec.table}" has ${megabytes} MB, so that a new partition would lock the table for long: ` +
      'run `npm run admin -- make-partitions` at a quiet time.'
    );
  }
  for (const period of missing) {
    const refusal = await attempt(db, (tx) => createPartition(tx, spec, period));
    if (refusal === 'elsewhere') return null;
    if (refusal === 'busy' && period.from.getTime() > now.getTime() + PATIENCE_DAYS * DAY_MS) return null;
    if (refusal) return explain(refusal, spec);
  }
  return null;
}

/** The time that a partition holds. */
interface Period {
  readonly from: Date;
  readonly to: Date;
}

const isTaken = (partitions: readonly Partition[], period: Period): boolean =>
  partitions.some(
    ({ from, to, isDefault }) =>
      !isDefault && (from === null || from < period.to) && (to === null || to > period.from),
  );

async function createPartition(tx: Tx, spec: PartitionedTable, period: Period): Promise<void> {
  const existing = await listPartitions(tx, spec);
  if (isTaken(existing, period)) return;
  const [from, to] = [period.from.toISOString(), period.to.toISOString()];
  const rest = existing.find(({ isDefault }) => isDefault);
  const within = sql`${quoted(spec.column)} >= ${from}::timestamptz AND ${quoted(spec.column)} < ${to}::timestamptz`;
  if (rest) {
    await tx.$executeRaw`LOCK TABLE ONLY ${nameOf(rest)} IN ACCESS EXCLUSIVE MODE`;
    const [{ rows }] = await tx.$queryRaw<[{ rows: number }]>`
      SELECT count(*)::int AS rows FROM (SELECT FROM ${nameOf(rest)} WHERE ${within} LIMIT ${MOST_MOVED + 1}) t`;
    if (rows > MOST_MOVED) return;
  }
  const name = `${spec.table}_${from.slice(0, spec.width === 'day' ? 10 : 7).replaceAll('-', '_')}`;
  const made = nameOf({ schema: SCHEMA, name });
  await createSchema(tx);
  await tx.$executeRaw`CREATE TABLE ${made} (LIKE ${quoted(spec.table)} INCLUDING ALL)`;
  await identify(tx, spec, name);
  if (rest) {
    await tx.$executeRaw`
      WITH moved AS (DELETE FROM ${nameOf(rest)} WHERE ${within} RETURNING *) INSERT INTO ${made} SELECT * FROM moved`;
  }
  // The foreign keys of the new partition need these locks. Workers write the scene each second, so they are the last ones.
  for (const parent of spec.parents)
    await tx.$executeRaw`LOCK TABLE ONLY ${quoted(parent)} IN SHARE ROW EXCLUSIVE MODE`;
  await tx.$executeRaw`
    ALTER TABLE ${quoted(spec.table)} ATTACH PARTITION ${made}
    FOR VALUES FROM (${Prisma.raw(`'${from}'`)}) TO (${Prisma.raw(`'${to}'`)})`;
}

async function createSchema(tx: Tx): Promise<void> {
  const [{ exists }] = await tx.$queryRaw<[{ exists: boolean }]>`
    SELECT to_regnamespace(${SCHEMA}) IS NOT NULL AS exists`;
  if (!exists) await tx.$executeRaw`CREATE SCHEMA ${quoted(SCHEMA)}`;
}

/** The partition gets the owner of its table, and its unique index names its rows in logical replication. */
async function identify(tx: Tx, { table }: PartitionedTable, name: string): Promise<void> {
  const [{ owner, isOwn, index }] = await tx.$queryRaw<[{ owner: string; isOwn: boolean; index: string }]>`
    SELECT pg_get_userbyid(t.relowner)::text AS owner, pg_get_userbyid(t.relowner) = current_user AS "isOwn",
      (SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE i.indrelid = ${`"${SCHEMA}"."${name}"`}::regclass AND i.indisunique LIMIT 1) AS index
    FROM pg_class t WHERE t.oid = ${`"${table}"`}::regclass`;
  const made = nameOf({ schema: SCHEMA, name });
  await tx.$executeRaw`ALTER TABLE ${made} REPLICA IDENTITY USING INDEX ${quoted(index)}`;
  if (!isOwn) await tx.$executeRaw`ALTER TABLE ${made} OWNER TO ${quoted(owner)}`;
}

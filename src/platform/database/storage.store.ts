import { type Db, queryRows } from './db.ts';
import { firstIdSince, timeOfId } from './uuid-v7.ts';

/** What one table holds. */
export interface StoredTable {
  readonly table: string;
  /** An estimate of the last VACUUM or ANALYZE, but counted while there was none. */
  readonly rows: number;
  /** With indexes and values that are stored apart. */
  readonly bytes: number;
  /** Time of its oldest row; null where the table is empty or its rows have no time. */
  readonly oldest: Date | null;
  /**
   * Rows of the last 24 hours; null where the rows have no time. Of a table whose rows are written late: of the last 24 hours that it
   * has, or 0 where nothing was written for more than a day.
   */
  readonly newRows: number | null;
  /** Bytes that a year of such days adds while nothing is deleted; null where the rows have no time. */
  readonly bytesPerYear: number | null;
}

const DAY_MS = 86_400_000;

/** The column that tells when a row came: an id made by `uuid_v7()` that has an index, or else the first of these. */
const TIME_COLUMNS = ['minute', 'quarter', 'hour', 'day', 'at', 'createdAt', 'capturedAt', 'sentAt'];

/** A table with partitions is the sum of them. Those that hold nothing yet were never analyzed. */
const TABLES = `
  SELECT c.relname AS table, p.bytes, p.estimate, p.partitions,
    (SELECT CASE WHEN bool_or(a.attname = 'id' AND pg_get_expr(d.adbin, d.adrelid) = 'uuid_v7()' AND EXISTS (
                        SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indkey[0] = a.attnum)) THEN 'id'
                 ELSE (array_agg(a.attname::text ORDER BY array_position($1::text[], a.attname::text))
                       FILTER (WHERE a.attname = ANY($1::text[])))[1] END
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attndims = 0) AS time
  FROM pg_class c CROSS JOIN LATERAL (
    SELECT sum(pg_total_relation_size(l.oid))::float8 AS bytes,
      CASE WHEN bool_or(l.reltuples < 0 AND (c.relkind = 'r' OR pg_relation_size(l.oid) > 0)) THEN -1
           ELSE sum(greatest(l.reltuples, 0)) END::float8 AS estimate,
      coalesce(array_agg(l.oid::regclass::text ORDER BY l.bound = 'DEFAULT' DESC, l.bound LIKE '%MINVALUE%' DESC, l.bound)
               FILTER (WHERE c.relkind = 'p'), '{}') AS partitions
    FROM (SELECT l.oid, l.reltuples, pg_get_expr(l.relpartbound, l.oid) AS bound
          FROM (SELECT c.oid WHERE c.relkind = 'r' UNION ALL
                SELECT t.relid FROM pg_partition_tree(c.oid) t WHERE c.relkind = 'p' AND t.isleaf) o
          JOIN pg_class l ON l.oid = o.oid) l) p
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> '_prisma_migrations'`;

interface FoundTable {
  readonly table: string;
  readonly bytes: number;
  /** Negative before the first VACUUM or ANALYZE. */
  readonly estimate: number;
  readonly time: string | null;
  /** Quoted names, the default partition first and then by time. */
  readonly partitions: readonly string[];
}

interface Reading {
  readonly now: Date;
  /** Tables whose rows are written once a day, so many days after their time. */
  readonly lateDays?: Readonly<Record<string, number>>;
  /** Tables whose rows move to another table after some days: a year adds nothing to them. */
  readonly moving?: readonly string[];
  /** Called after each table. */
  readonly onTable?: (done: number, total: number) => void;
}

/** Reads the sizes of all tables, the largest first. */
export async function readStorage(
  db: Db,
  { now, lateDays = {}, moving = [], onTable }: Reading,
): Promise<{ bytes: number; tables: StoredTable[] }> {
  const found = await queryRows<FoundTable>(db, TABLES, [TIME_COLUMNS]);
  const tables: StoredTable[] = [];
  for (const table of found) {
    const measured = await measure(db, table, now, lateDays[table.table]);
    tables.push(moving.includes(table.table) ? { ...measured, bytesPerYear: 0 } : measured);
    onTable?.(tables.length, found.length);
  }
  tables.sort((a, b) => b.bytes - a.bytes || (a.table < b.table ? -1 : 1));
  const [{ bytes }] = await db.$queryRaw<[{ bytes: number }]>`
    SELECT pg_database_size(current_database())::float8 AS bytes`;
  return { bytes, tables };
}

async function measure(
  db: Db,
  { table, bytes, estimate, time, partitions }: FoundTable,
  now: Date,
  lateDays?: number,
): Promise<StoredTable> {
  const rows = estimate >= 0 ? estimate : await count(db, table, 'true', []);
  if (time === null) return { table, rows, bytes, oldest: null, newRows: null, bytesPerYear: null };
  const since = new Date(now.getTime() - DAY_MS);
  const [oldest, newRows] =
    time === 'id'
      ? [await firstCreated(db, table), await count(db, table, 'id >= $1::uuid', [firstIdSince(since)])]
      : [
          await firstTime(db, partitions.length > 0 ? partitions : [`"${table}"`], time),
          lateDays === undefined
            ? await count(db, table, `"${time}" >= $1::timestamptz`, [since])
            : // They are written as whole days, the last of which ended up to a day before.
              await countNewest(db, table, time, new Date(since.getTime() - (lateDays + 1) * DAY_MS)),
        ];
  return { table, rows, bytes, oldest, newRows, bytesPerYear: (bytes / Math.max(rows, 1)) * newRows * 365 };
}

async function count(db: Db, table: string, where: string, values: readonly unknown[]): Promise<number> {
  const [row] = await db.$queryRawUnsafe<[{ count: number }]>(
    `SELECT count(*)::float8 AS count FROM "${table}" WHERE ${where}`,
    ...values,
  );
  return row.count;
}

/** Rows of the 24 hours up to the newest one; none where that is older than `since`, because then nothing writes any more. */
const countNewest = (db: Db, table: string, time: string, since: Date): Promise<number> =>
  count(
    db,
    table,
    `"${time}" > (SELECT max("${time}") FROM "${table}" HAVING max("${time}") >= $1::timestamptz) - interval '24 hours'`,
    [since],
  );

/** Of the default partition and the first other one that has rows; of a table without partitions its own. */
async function firstTime(db: Db, tables: readonly string[], column: string): Promise<Date | null> {
  let oldest: Date | null = null;
  for (const [at, table] of tables.entries()) {
    const [{ first }] = await db.$queryRawUnsafe<[{ first: Date | null }]>(
      `SELECT min("${column}")::timestamptz AS first FROM ${table}`,
    );
    if (first && (oldest === null || first < oldest)) oldest = first;
    if (first && at > 0) break;
  }
  return oldest;
}

async function firstCreated(db: Db, table: string): Promise<Date | null> {
  const [row] = await queryRows<{ id: string }>(db, `SELECT id FROM "${table}" ORDER BY id LIMIT 1`, []);
  return row ? timeOfId(row.id) : null;
}

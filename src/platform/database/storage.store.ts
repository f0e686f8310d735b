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
  /** Rows of the last 24 hours; null where the rows have no time. */
  readonly newRows: number | null;
  /** Bytes that a year of such days adds while nothing is deleted; null where the rows have no time. */
  readonly bytesPerYear: number | null;
}

const DAY_MS = 86_400_000;

/** The column that tells when a row came: an id made by `uuid_v7()`, which has an index, or else the first of these. */
const TIME_COLUMNS = ['minute', 'quarter', 'hour', 'day', 'at', 'createdAt', 'capturedAt', 'sentAt'];

const TABLES = `
  SELECT c.relname AS table, pg_total_relation_size(c.oid)::float8 AS bytes, c.reltuples::float8 AS estimate,
    (SELECT CASE WHEN bool_or(a.attname = 'id' AND pg_get_expr(d.adbin, d.adrelid) = 'uuid_v7()') THEN 'id'
                 ELSE (array_agg(a.attname::text ORDER BY array_position($1::text[], a.attname::text))
                       FILTER (WHERE a.attname = ANY($1::text[])))[1] END
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS time
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'`;

interface FoundTable {
  readonly table: string;
  readonly bytes: number;
  /** Negative before the first VACUUM or ANALYZE. */
  readonly estimate: number;
  readonly time: string | null;
}

/**
 * Reads the sizes of all tables, the largest first.
 * @param onTable called after each table
 */
export async function readStorage(
  db: Db,
  { now, onTable }: { now: Date; onTable?: (done: number, total: number) => void },
): Promise<{ bytes: number; tables: StoredTable[] }> {
  const found = await queryRows<FoundTable>(db, TABLES, [TIME_COLUMNS]);
  const tables: StoredTable[] = [];
  for (const table of found) {
    tables.push(await measure(db, table, now));
    onTable?.(tables.length, found.length);
  }
  tables.sort((a, b) => b.bytes - a.bytes || (a.table < b.table ? -1 : 1));
  const [whole] = await queryRows<{ bytes: number }>(
    db,
    'SELECT pg_database_size(current_database())::float8 AS bytes',
    [],
  );
  return { bytes: whole!.bytes, tables };
}

async function measure(
  db: Db,
  { table, bytes, estimate, time }: FoundTable,
  now: Date,
): Promise<StoredTable> {
  const rows = estimate >= 0 ? estimate : await count(db, table, 'true', []);
  if (time === null) return { table, rows, bytes, oldest: null, newRows: null, bytesPerYear: null };
  const since = new Date(now.getTime() - DAY_MS);
  const [oldest, newRows] =
    time === 'id'
      ? [await firstCreated(db, table), await count(db, table, 'id >= $1::uuid', [firstIdSince(since)])]
      : [await firstTime(db, table, time), await count(db, table, `"${time}" >= $1::timestamptz`, [since])];
  return { table, rows, bytes, oldest, newRows, bytesPerYear: (bytes / Math.max(rows, 1)) * newRows * 365 };
}

async function count(db: Db, table: string, where: string, values: readonly unknown[]): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    db,
    `SELECT count(*)::float8 AS count FROM "${table}" WHERE ${where}`,
    values,
  );
  return row!.count;
}

async function firstTime(db: Db, table: string, column: string): Promise<Date | null> {
  const [row] = await queryRows<{ first: Date | null }>(
    db,
    `SELECT min("${column}")::timestamptz AS first FROM "${table}"`,
    [],
  );
  return row!.first;
}

async function firstCreated(db: Db, table: string): Promise<Date | null> {
  const [row] = await queryRows<{ id: string }>(db, `SELECT id FROM "${table}" ORDER BY id LIMIT 1`, []);
  return row ? timeOfId(row.id) : null;
}

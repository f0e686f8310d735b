import pg from 'pg';
import { isDatabaseBusy } from './database-away.ts';
import { type Db, queryRows } from './db.ts';

/** An index smaller than this is not worth the work. */
const LEAST_BYTES = 1024 * 1024;
/** An index is built again when a row takes so much more of it than right after it was built. */
const GROWN = 1.2;
/** For this long after its end a partition may still get rows of its last moments. */
const SETTLED = '1 hour';
/** A rebuild waits this long for earlier transactions. Those of the service are shorter. A dump may be longer: then the next run tries again. */
const LOCK_MS = 120_000;
/** Held while indexes are built, so that one program does it at a time. */
const LOCK = `hashtext('fill-indexes')`;
/** The comment on an index begins with this; its bytes for a row, right after it was built, follow. */
const TOLD = 'built with bytes for a row: ';

/** Indexes of tables, or of their partitions whose time `$2` is over, that fill their pages badly. */
const BADLY_FILLED = `
  SELECT format('%I.%I', n.nspname, x.relname) AS name
  FROM unnest($1::text[]) AS known(name)
  CROSS JOIN LATERAL (
    SELECT format('public.%I', known.name)::regclass AS oid UNION SELECT relid FROM pg_partition_tree(format('public.%I', known.name)::regclass)) leaf
  JOIN pg_class t ON t.oid = leaf.oid AND t.relkind = 'r' AND t.reltuples > 0
  JOIN pg_index i ON i.indrelid = t.oid AND i.indisvalid
  JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_namespace n ON n.oid = x.relnamespace
  JOIN pg_am a ON a.oid = x.relam AND a.amname = 'btree'
  CROSS JOIN LATERAL (SELECT substring(obj_description(x.oid, 'pg_class') FROM '^${TOLD}([0-9.]+)$')::float8 AS built) told
  WHERE pg_has_role(t.relowner, 'MEMBER') AND pg_relation_size(x.oid) >= $3
    AND (NOT t.relispartition OR substring(pg_get_expr(t.relpartbound, t.oid) FROM $$TO \\('([^']+)'\\)$$)::timestamptz
      < $2::timestamptz - interval '${SETTLED}')
    AND (told.built IS NULL OR pg_relation_size(x.oid) / t.reltuples > ${GROWN} * told.built)
  ORDER BY pg_relation_size(x.oid)`;

/** What a killed rebuild left has such a name: an index that was not ready, or one that is no longer used. */
const LEFT_OVER = `x.relname ~ '_cc(new|old)[0-9]*$'`;
/** Indexes that are not valid, as a killed migration leaves one, and that nobody builds now. */
const notValid = (which: string) => `
  SELECT format('%I.%I', n.nspname, x.relname) AS name
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_namespace n ON n.oid = x.relnamespace
  WHERE NOT i.indisvalid AND x.relkind = 'i' AND ${which} AND n.nspname IN ('public', 'partitions')
    AND pg_has_role(x.relowner, 'MEMBER')
    AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = x.oid)`;
const UNFINISHED = notValid(`NOT ${LEFT_OVER}`);

/**
 * Builds indexes again that are not valid, and those of `tables` whose pages are half empty, because rows were added in their middle:
 * those of a partition once, when its time is over, those of another table whenever a row takes a fifth more of them than after the last
 * time. Rows can be read and written meanwhile. Any number of programs may do this at the same time, and may be killed at any moment: an index is there, old
 * or new, and what is left of the other one goes with the next run.
 * @param tables in the schema `public`
 * @returns how many were built
 */
export async function fillIndexes(
  db: Db,
  databaseUrl: string,
  { tables, now, leastBytes = LEAST_BYTES, lockMs = LOCK_MS }: FillOptions,
): Promise<number> {
  const asked = [tables, now.toISOString(), leastBytes];
  const unfinished = await queryRows(db, UNFINISHED, []);
  if (unfinished.length === 0 && (await queryRows(db, BADLY_FILLED, asked)).length === 0) return 0;
  // Without the limits of a transaction, in none of which an index can be built beside writers.
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  let built = 0;
  try {
    await client.query(`SET statement_timeout = 0; SET lock_timeout = ${lockMs}`);
    const { rows } = await client.query<{ alone: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS alone`);
    if (!rows[0]?.alone) return 0;
    const leftOvers = await client.query<{ name: string }>(notValid(LEFT_OVER));
    for (const { name } of leftOvers.rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    // Another program may have built some of them meanwhile. Those that are not valid come last: one that cannot be built, because its
    // rows are not unique, holds up no other.
    const found = [await client.query<{ name: string }>(BADLY_FILLED, asked), await client.query(UNFINISHED)];
    for (const { name } of found.flatMap(({ rows: each }) => each)) {
      await build(client, name);
      built++;
    }
  } catch (error) {
    // Another transaction, such as that of a dump, is open for long: the next run goes on.
    if (!isDatabaseBusy(error)) throw error;
  } finally {
    await client.end();
  }
  return built;
}

interface FillOptions {
  readonly tables: readonly string[];
  readonly now: Date;
  /** Of an index that is built again. */
  readonly leastBytes?: number;
  /** How long it waits for transactions that were there before. */
  readonly lockMs?: number;
}

async function build(client: pg.Client, name: string): Promise<void> {
  // A partition may have been dropped meanwhile.
  const { rows } = await client.query('SELECT FROM pg_class WHERE oid = to_regclass($1)', [name]);
  if (rows.length === 0) return;
  await client.query(`REINDEX INDEX CONCURRENTLY ${name}`);
  const built = await client.query<{ bytesOfRow: number }>(
    `SELECT pg_relation_size(i.indexrelid) / t.reltuples AS "bytesOfRow"
     FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid WHERE i.indexrelid = $1::regclass AND t.reltuples > 0`,
    [name],
  );
  // The table of an index that was not valid may have no rows.
  for (const { bytesOfRow } of built.rows)
    await client.query(`COMMENT ON INDEX ${name} IS '${TOLD}${bytesOfRow.toFixed(2)}'`);
}

import type pg from 'pg';
import { cpuSecondsOf, cpuSecondsOfEnded } from '../../support/cpu-time.ts';
import { sum } from '../../support/numbers.ts';
import { processTree } from '../../support/process-tree.ts';

/** Counters of a PostgreSQL at one moment. */
export interface DatabaseCounters {
  readonly atMs: number;
  readonly statements: number;
  readonly commits: number;
  readonly walBytes: number;
  readonly databaseBytes: number;
  /** Null where the system does not report it. */
  readonly cpuSeconds: number | null;
  /** Written rows of each table: inserted, updated and deleted. */
  readonly tables: Readonly<Record<string, readonly [inserted: number, updated: number, deleted: number]>>;
}

/** @param pid of the postmaster */
export async function readCounters(client: pg.Client, pid: number): Promise<DatabaseCounters> {
  const { rows: tables } = await client.query<{ name: string; counts: [string, string, string] }>(
    // The partitions of a table count as that table.
    `SELECT coalesce(i.inhparent, s.relid)::regclass::text AS name,
            ARRAY[sum(n_tup_ins), sum(n_tup_upd), sum(n_tup_del)]::text[] AS counts
     FROM pg_stat_user_tables s LEFT JOIN pg_inherits i ON i.inhrelid = s.relid
     WHERE schemaname IN ('public', 'partitions') GROUP BY 1`,
  );
  const { rows } = await client.query<Record<'statements' | 'commits' | 'wal' | 'bytes', string>>(
    `SELECT (SELECT sum(calls) FROM pg_stat_statements) AS statements, xact_commit AS commits,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal, pg_database_size(current_database()) AS bytes
     FROM pg_stat_database WHERE datname = current_database()`,
  );
  const [row] = rows;
  return {
    atMs: performance.now(),
    statements: Number(row!.statements),
    commits: Number(row!.commits),
    walBytes: Number(row!.wal),
    databaseBytes: Number(row!.bytes),
    cpuSeconds: cpuOf(pid),
    tables: Object.fromEntries(
      tables.map(({ name, counts }) => [
        name.replaceAll('"', ''),
        counts.map(Number) as [number, number, number],
      ]),
    ),
  };
}

function cpuOf(pid: number): number | null {
  if (cpuSecondsOf(pid) === null) return null;
  const living = processTree(pid).map((each) => cpuSecondsOf(each.pid) ?? 0);
  return sum(living) + (cpuSecondsOfEnded(pid) ?? 0);
}

export interface DatabaseUse {
  readonly seconds: number;
  readonly statementsPerSecond: number;
  readonly commitsPerSecond: number;
  readonly walBytesPerSecond: number;
  readonly databaseGrowthBytes: number;
  readonly cpuCores: number | null;
  readonly rowsPerSecond: { readonly inserted: number; readonly updated: number; readonly deleted: number };
  /** Tables with the most written rows first. */
  readonly tables: readonly {
    readonly table: string;
    readonly inserted: number;
    readonly updated: number;
    readonly deleted: number;
  }[];
}

/** What a database did between two moments; rows and statements are per second. */
export function useBetween(before: DatabaseCounters, after: DatabaseCounters): DatabaseUse {
  const seconds = (after.atMs - before.atMs) / 1000;
  const rate = (from: number, to: number) => (to - from) / seconds;
  const tables = Object.entries(after.tables)
    .map(([table, counts]) => {
      const [inserted, updated, deleted] = counts.map((count, at) =>
        rate(before.tables[table]?.[at] ?? 0, count),
      ) as [number, number, number];
      return { table, inserted, updated, deleted };
    })
    .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0)
    .sort((a, b) => b.inserted + b.updated + b.deleted - (a.inserted + a.updated + a.deleted));
  const all = (of: 'inserted' | 'updated' | 'deleted') => sum(tables.map((table) => table[of]));
  return {
    seconds,
    statementsPerSecond: rate(before.statements, after.statements),
    commitsPerSecond: rate(before.commits, after.commits),
    walBytesPerSecond: rate(before.walBytes, after.walBytes),
    databaseGrowthBytes: after.databaseBytes - before.databaseBytes,
    cpuCores:
      before.cpuSeconds === null || after.cpuSeconds === null
        ? null
        : rate(before.cpuSeconds, after.cpuSeconds),
    rowsPerSecond: { inserted: all('inserted'), updated: all('updated'), deleted: all('deleted') },
    tables,
  };
}

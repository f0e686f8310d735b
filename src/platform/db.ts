import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { impatientSocket } from './impatient-socket.ts';
import { PrismaClient } from './prisma-client/client.ts';

/** The database as every store sees it. */
export type Db = PrismaClient;

/** What runs inside `db.$transaction`. */
export type Tx = Omit<Db, '$connect' | '$disconnect' | '$on' | '$use' | '$extends' | '$transaction'>;

export interface DbOptions {
  /** Connections at most. */
  readonly maxConnections?: number;
  /** Told of a connection that broke while idle; the pool replaces it. Nobody listening would end the process. */
  readonly onPoolError?: (error: Error) => void;
  /** A connection on which nothing was heard for so long is dead, and what waits for it fails. */
  readonly silenceMs?: number;
}

const CONNECT_MS = 5_000;

/** Connects with the first query. `$disconnect()` ends the pool. @param databaseUrl `postgresql://…` */
export function createDb(databaseUrl: string, options: DbOptions = {}): Db {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => impatientSocket(options.silenceMs),
  });
  pool.on('error', (error) => options.onPoolError?.(error));
  // Between the pool and whoever takes a connection nobody listens: one that breaks just then would end the process.
  // What is asked of it fails all the same.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const db = new PrismaClient({ adapter });
  pools.set(db, pool);
  return db;
}

const pools = new WeakMap<Db, pg.Pool>();

/**
 * Rows by plain SQL over the same connections, for the few reads that are so hot that what Prisma does for a query
 * (about half a millisecond of processor time, five times the query's own) would be most of an answer.
 */
export async function queryRows<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  const pool = pools.get(db);
  if (!pool) throw new Error('This database was not made by createDb');
  const { rows } = await pool.query(text, [...values]);
  return rows as Row[];
}

/** Connections of this database's pool, and how many callers wait for one. */
export function poolCounts(db: Db): { total: number; idle: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {};
  return { total: totalCount, idle: idleCount, waiting: waitingCount };
}

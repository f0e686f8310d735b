import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../prisma-client/client.ts';
import { impatientSocket, SILENCE_MS } from './impatient-socket.ts';
import { KEEPALIVE_SETTINGS, limitedClient, type TransactionLimits } from './limited-client.ts';

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
  /** Whose sessions these are: shown in pg_stat_activity as `application_name`. */
  readonly owner?: string;
  /** Of every transaction; those not given follow from `silenceMs`. */
  readonly limits?: Partial<TransactionLimits>;
}

const CONNECT_MS = 5_000;

/** None may be so tight that work as it should be runs into it: all of ours takes milliseconds. */
const limitsWithin = (silenceMs: number): TransactionLimits => ({
  idleMs: 10_000,
  lockMs: Math.round(silenceMs / 3),
  // Before the socket is given up: then the server would go on with a statement that nobody waits for.
  statementMs: Math.round(0.9 * silenceMs),
  wholeMs: 4 * silenceMs,
});

/** Connects with the first query. `$disconnect()` ends the pool. @param databaseUrl `postgresql://…` */
export function createDb(databaseUrl: string, options: DbOptions = {}): Db {
  const { silenceMs = SILENCE_MS } = options;
  const pool = new pg.Pool({
    Client: limitedClient({ ...limitsWithin(silenceMs), ...options.limits }),
    ...(options.owner && { application_name: options.owner }),
    connectionString: databaseUrl,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => impatientSocket(silenceMs),
    // Where the server knows none of them its own stay: a connection without is better than none.
    onConnect: (client) => client.query(KEEPALIVE_SETTINGS).catch(() => undefined),
  });
  pool.on('error', (error) => options.onPoolError?.(error));
  // Between the pool and whoever takes a connection nobody listens: one that breaks just then would end the process.
  // What is asked of it fails all the same.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  // A transaction waits as long for a free connection as any other query does.
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: CONNECT_MS } });
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

import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../prisma-client/client.ts';
import { impatientSocket, SILENCE_MS } from './impatient-socket.ts';
import {
  KEEPALIVE_SETTINGS,
  limitedClient,
  type StatementWatch,
  type TransactionLimits,
} from './limited-client.ts';

/** The database client that stores use. */
export type Db = PrismaClient;

/** The client inside `db.$transaction`. */
export type Tx = Omit<Db, '$connect' | '$disconnect' | '$on' | '$use' | '$extends' | '$transaction'>;

export interface DbOptions {
  /** Most connections of the pool; 10 by default. */
  readonly maxConnections?: number;
  /** Receives the error of a connection that broke while idle. The pool replaces the connection. */
  readonly onPoolError?: (error: Error) => void;
  /** Time without data after which a connection counts as dead and its queries fail; 15 s by default. */
  readonly silenceMs?: number;
  /** How long a caller waits for a connection; 5 s by default. */
  readonly waitMs?: number;
  /** `application_name` of the sessions in pg_stat_activity. */
  readonly owner?: string;
  /** Limits of every transaction; missing ones follow from `silenceMs`. */
  readonly limits?: Partial<TransactionLimits>;
}

const WAIT_MS = 5_000;

/** Normal transactions take milliseconds and stay far below these limits. */
const limitsWithin = (silenceMs: number): TransactionLimits => ({
  idleMs: 10_000,
  lockMs: Math.round(silenceMs / 3),
  // Shorter than the time after which the socket closes, so that the server does not continue a statement without a client.
  statementMs: Math.round(0.9 * silenceMs),
  wholeMs: 4 * silenceMs,
});

/** Connects with the first query. `$disconnect()` ends the pool. @param databaseUrl `postgresql://…` */
export function createDb(databaseUrl: string, options: DbOptions = {}): Db {
  const { silenceMs = SILENCE_MS, waitMs = WAIT_MS } = options;
  const watch: StatementWatch = { onStatement: null };
  const limits = { ...limitsWithin(silenceMs), ...options.limits };
  const pool = new pg.Pool({
    Client: limitedClient(limits, watch),
    ...(options.owner && { application_name: options.owner }),
    connectionString: databaseUrl,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: waitMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    stream: () => impatientSocket(silenceMs),
    // A server that does not know these settings keeps its own.
    onConnect: (client) => client.query(KEEPALIVE_SETTINGS).catch(() => undefined),
  });
  pool.on('error', (error) => options.onPoolError?.(error));
  // A connection can break after the pool hands it out and before a query listens for errors; without this listener the
  // process would end. The query still fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  // A transaction waits as long for a free connection as any other query. How long it takes is limited by PostgreSQL, which knows
  // whether it makes progress; a busy machine needs long for a few statements.
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: waitMs, timeout: limits.wholeMs } });
  pools.set(db, pool);
  watches.set(db, watch);
  return db;
}

const pools = new WeakMap<Db, pg.Pool>();
const watches = new WeakMap<Db, StatementWatch>();

/** From now on `onStatement` is told how long each statement of this database takes. */
export function watchStatements(db: Db, onStatement: NonNullable<StatementWatch['onStatement']>): void {
  const watch = watches.get(db);
  if (watch) watch.onStatement = onStatement;
}

/**
 * Runs plain SQL over the same connections. It is for the few most frequent reads, because Prisma needs about half a
 * millisecond of processor time for a query, five times as much as the query itself.
 */
export async function queryRows<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  const pool = pools.get(db);
  if (!pool) throw new Error('This database was not made by createDb');
  const { rows } = await pool.query(text, [...values]);
  return rows as Row[];
}

/** The row of a statement that always has one: of counts and sums. */
export async function queryRow<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row> {
  const [row] = await queryRows<Row>(db, text, values);
  if (row === undefined) throw new Error(`No row: ${text}`);
  return row;
}

/** Connections of the pool, and callers that wait for one. */
export function poolCounts(db: Db): { total: number; idle: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {};
  return { total: totalCount, idle: idleCount, waiting: waitingCount };
}

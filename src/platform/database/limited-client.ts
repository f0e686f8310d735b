import pg from 'pg';

/**
 * Limits of a transaction in ms. The server ends a transaction that exceeds them, whatever happened to the client. A client
 * that freezes or loses power would otherwise keep its row locks, by default for two hours.
 */
export interface TransactionLimits {
  /** Between two statements. */
  readonly idleMs: number;
  /** Waiting for a lock that another transaction holds. */
  readonly lockMs: number;
  /** For one statement. */
  readonly statementMs: number;
  /** The whole transaction, on PostgreSQL 17 and later. */
  readonly wholeMs: number;
}

/** The first words of statements; everything else is `other`. */
const KINDS = ['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback'] as const;
export type StatementKind = (typeof KINDS)[number] | 'other';

/** Who measures the statements of a pool; null while nobody does. */
export interface StatementWatch {
  onStatement: ((kind: StatementKind, seconds: number) => void) | null;
}

function kindOf(text: string): StatementKind {
  const word = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase();
  return KINDS.find((kind) => kind === word) ?? 'other';
}

type Callback = (error: Error | null, result?: unknown) => void;
type Query = string | { readonly text: string };
type Send = (this: pg.Client, query: Query, values?: unknown, callback?: Callback) => void;

const BEGIN = /^\s*(BEGIN|START\s+TRANSACTION)\b[^;]*/i;
/** A statement that may wait for a row. A read alone waits only for a change of the schema. */
const WRITE = /^\s*(INSERT|UPDATE|DELETE|MERGE|WITH)\b/i;
const HAS_TRANSACTION_TIMEOUT = 17;

/**
 * A client class for a pool. It sets the limits of every transaction in the same message as BEGIN. The limits are local to the
 * transaction, because a pooler such as pgbouncer refuses them at the start of a connection and shares the session with other
 * clients. A statement outside a transaction that may wait for a row gets a transaction of its own.
 */
export function limitedClient(
  limits: TransactionLimits,
  watch: StatementWatch = { onStatement: null },
): new () => pg.Client {
  return class LimitedClient extends pg.Client {
    #serverVersion = 0;
    /** The error that ended the connection; null while it is open. */
    #ended: (Error & { code?: string }) | null = null;

    constructor(config?: pg.ClientConfig) {
      super(config);
      this.on('error', (error) => {
        this.#ended ??= error;
      });
      // biome-ignore lint/suspicious/noExplicitAny: the connection is not part of the published types
      (this as any).connection.on(
        'parameterStatus',
        (told: { parameterName: string; parameterValue: string }) => {
          if (told.parameterName === 'server_version')
            this.#serverVersion = Number.parseInt(told.parameterValue, 10);
        },
      );
    }

    // `query` has the overloads of pg.Client; this code treats all of them alike.
    override query = ((query: Query, values?: unknown, callback?: Callback) => {
      const text = typeof query === 'string' ? query : query.text;
      // An object of pg that sends itself, such as a cursor.
      if (typeof text !== 'string') return (super.query as Send).call(this, query, values, callback);
      const [given, told] =
        typeof values === 'function' ? [undefined, values as Callback] : [values, callback];
      const timed = this.#timed(text);
      if (told)
        return this.#send(
          query,
          given,
          timed((error, result) => told(error && this.#explain(error), result)),
        );
      return new Promise((resolve, reject) => {
        this.#send(
          query,
          given,
          timed((error, result) => (error ? reject(this.#explain(error)) : resolve(result))),
        );
      });
    }) as pg.Client['query'];

    /** Measures from the call to the answer; a statement that waits for the one before it on its connection measures both. */
    #timed(text: string): (callback: Callback) => Callback {
      const { onStatement } = watch;
      if (!onStatement) return (callback) => callback;
      const beganMs = performance.now();
      return (callback) => (error, result) => {
        onStatement(kindOf(text), (performance.now() - beganMs) / 1000);
        callback(error, result);
      };
    }

    #send(query: Query, values: unknown, callback: Callback): void {
      const send = super.query as Send;
      const text = typeof query === 'string' ? query : query.text;
      if (BEGIN.test(text)) {
        send.call(this, this.#limited(query, text), values, callback);
        return;
      }
      const isAlone = this.getTransactionStatus() === 'I' && WRITE.test(text);
      if (!isAlone) {
        send.call(this, query, values, callback);
        return;
      }
      send.call(this, this.#limited('BEGIN', 'BEGIN'), undefined, (refused) => {
        if (refused) return callback(refused);
        send.call(this, query, values, (error, result) => {
          const end = error ? 'ROLLBACK' : 'COMMIT';
          send.call(this, end, undefined, (unended) => callback(error ?? unended, result));
        });
      });
    }

    /** After the end of a connection pg only says that it ended; callers need the error that ended it. */
    #explain(error: Error): Error {
      if ('code' in error || this.#ended === null) return error;
      const { code = 'ECONNRESET', message } = this.#ended;
      return Object.assign(new Error(message, { cause: error }), { code });
    }

    #limited(query: Query, text: string): Query {
      const limited = text.replace(BEGIN, (begin) => `${begin}; ${this.#settings}`);
      return typeof query === 'string' ? limited : { ...query, text: limited };
    }

    get #settings(): string {
      const { idleMs, lockMs, statementMs, wholeMs } = limits;
      const settings = {
        idle_in_transaction_session_timeout: idleMs,
        lock_timeout: lockMs,
        statement_timeout: statementMs,
        ...(this.#serverVersion >= HAS_TRANSACTION_TIMEOUT && { transaction_timeout: wholeMs }),
      };
      return Object.entries(settings)
        .map(([name, ms]) => `SET LOCAL ${name} = ${ms}`)
        .join('; ');
    }
  };
}

/**
 * With these settings the server notices a lost client machine after a minute instead of two hours. They hold for the session,
 * also where a pooler shares it, because they change nothing for a client that lives.
 */
export const KEEPALIVE_SETTINGS =
  'SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 60000';

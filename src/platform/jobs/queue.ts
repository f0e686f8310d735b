import { fromPrisma, type JobResult, PgBoss } from 'pg-boss';
import type { Tx } from '../database/db.ts';

/**
 * A kind of background work. Its payload holds ids only. A job may run more than once (a worker that dies in the middle
 * hands it to another): its handler must be safe to repeat.
 */
export interface JobType<Payload extends object> {
  readonly name: string;
  /** Tries after the first; the handler throws to ask for one. */
  readonly retryLimit: number;
  /** Before the first of them; then doubled each time, with jitter. */
  readonly retryDelaySeconds: number;
  /** A job that takes longer counts as failed. */
  readonly expireSeconds: number;
  /** At most one job per key waits or runs; each send names its key. */
  readonly keyed?: boolean;
  /** Only there to carry the payload's type; never set. */
  readonly payload?: Payload;
}

export interface SendOptions {
  /** Sends inside this transaction: no commit, no job. */
  readonly tx?: Tx;
  /** Not before. */
  readonly startAfter?: Date;
  /** Of a keyed type: one of the same key that waits or runs makes this one unnecessary. */
  readonly key?: string;
}

export interface WorkOptions {
  /** Fetches at the same time in this process. */
  readonly concurrency: number;
  /** Jobs a fetch takes and runs side by side, 1 by default; more where jobs are quick and many. */
  readonly batchSize?: number;
}

export interface Queue {
  /** @returns the job's id; null where its key made it unnecessary */
  send<Payload extends object>(
    type: JobType<Payload>,
    payload: Payload,
    options?: SendOptions,
  ): Promise<string | null>;
  /** Starts to work off a type; new jobs wake it at once. `signal` aborts when the job expires or the queue stops. */
  work<Payload extends object>(
    type: JobType<Payload>,
    options: WorkOptions,
    handle: (payload: Payload, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** Rejects where it cannot be reached. */
  check(): Promise<void>;
  /** Jobs of every type, as the workers counted them last (once a minute). */
  counts(): Promise<JobCounts[]>;
  /** Lets running jobs finish, `timeoutMs` at most; the rest runs again elsewhere. */
  stop(timeoutMs?: number): Promise<void>;
}

export interface JobCounts {
  readonly type: string;
  readonly waiting: number;
  readonly active: number;
  /** Given up; kept for a while. */
  readonly failed: number;
}

export interface QueueOptions {
  /** Without a transaction pooler (DIRECT_DATABASE_URL): it listens. */
  readonly databaseUrl: string;
  readonly types: readonly JobType<object>[];
  /** Worker processes also retry, expire and clean up; the API only sends. */
  readonly supervise: boolean;
  /** Told of what fails in the background. Nobody listening would end the process. */
  readonly onError: (error: Error) => void;
}

/** New jobs wake a worker by NOTIFY; tries that have become due are found by looking. */
const POLL_SECONDS = 1;

/** Connects, makes pg-boss's own tables (schema `pgboss`) and queues where they are missing. */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { supervise } = options;
  const boss = new PgBoss({
    connectionString: options.databaseUrl,
    max: supervise ? 4 : 2,
    supervise,
    schedule: false,
    useListenNotify: supervise,
  });
  boss.on('error', options.onError);
  await boss.start();
  for (const type of options.types) await declare(boss, type);
  return {
    send: (type, payload, { tx, startAfter, key } = {}) =>
      boss.send(type.name, payload, {
        ...(tx ? { db: fromPrisma(tx) } : {}),
        ...(startAfter ? { startAfter } : {}),
        ...(key === undefined ? {} : { singletonKey: key }),
      }),
    async work(type, { concurrency, batchSize = 1 }, handle) {
      const settings = {
        batchSize,
        localConcurrency: concurrency,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: POLL_SECONDS,
      } as const;
      await boss.work<NonNullable<typeof type.payload>, unknown, typeof settings & { perJobResults: true }>(
        type.name,
        { ...settings, perJobResults: true },
        (jobs) => Promise.all(jobs.map((job) => settle(job.id, () => handle(job.data, job.signal)))),
      );
    },
    async check() {
      await boss.getDb().executeSql('SELECT 1', []);
    },
    async counts() {
      const queues = await boss.getQueues();
      return queues.map(({ name, queuedCount, activeCount, failedCount }) => ({
        type: name,
        waiting: queuedCount ?? 0,
        active: activeCount ?? 0,
        failed: failedCount ?? 0,
      }));
    },
    stop: (timeoutMs = 10_000) => boss.stop({ graceful: true, timeout: timeoutMs, close: true }),
  };
}

/** One job's outcome; a neighbour in its batch is not touched by it. */
async function settle(id: string, run: () => Promise<void>): Promise<JobResult> {
  try {
    await run();
    return { id, status: 'completed' };
  } catch (error) {
    return {
      id,
      status: 'failed',
      output: { message: error instanceof Error ? error.message : String(error) },
    };
  }
}

/** Makes the queue, or brings its settings up to date. */
async function declare(boss: PgBoss, type: JobType<object>): Promise<void> {
  const settings = {
    retryLimit: type.retryLimit,
    retryDelay: type.retryDelaySeconds,
    retryBackoff: true,
    expireInSeconds: type.expireSeconds,
    notify: true,
  };
  await boss.createQueue(type.name, { ...settings, policy: type.keyed ? 'exclusive' : 'standard' });
  await boss.updateQueue(type.name, settings);
}

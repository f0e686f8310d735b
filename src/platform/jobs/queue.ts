import { fromPrisma, type JobResult, PgBoss } from 'pg-boss';
import type { Tx } from '../database/db.ts';

/**
 * A kind of job. Its payload holds ids only. A job may run more than once, because another program runs it again when one
 * dies: its handler must be safe to repeat.
 */
export interface JobType<Payload extends object> {
  readonly name: string;
  /** Tries after the first one. A handler that throws causes the next try. */
  readonly retryLimit: number;
  /** Delay before the second try; it doubles with each further try, with jitter. */
  readonly retryDelaySeconds: number;
  /** A job that runs longer counts as failed. */
  readonly expireSeconds: number;
  /** At most one job of a key waits or runs. Each send names its key. */
  readonly keyed?: boolean;
  /** Carries the type of the payload; never set. */
  readonly payload?: Payload;
}

export interface SendOptions {
  /** Sends inside this transaction: the job exists only if it commits. */
  readonly tx?: Tx;
  /** The job starts at this time or later. */
  readonly startAfter?: Date;
  /** For a keyed type: the job is not sent while a job of the same key waits or runs. */
  readonly key?: string;
}

export interface WorkOptions {
  /** Batches that this process works on at the same time. */
  readonly concurrency: number;
  /** Jobs of a batch, which run side by side; 1 by default. */
  readonly batchSize?: number;
}

export interface Queue {
  /** @returns the id of the job; null when a job of its key waits or runs */
  send<Payload extends object>(
    type: JobType<Payload>,
    payload: Payload,
    options?: SendOptions,
  ): Promise<string | null>;
  /**
   * Sends a job of a keyed type at every time of `cron` (UTC), once for all programs; it starts `delaySeconds` later. Repeating the call
   * changes nothing.
   */
  schedule<Payload extends object>(
    type: JobType<Payload>,
    payload: Payload,
    at: { readonly cron: string; readonly key: string; readonly delaySeconds?: number },
  ): Promise<void>;
  /** Starts to work off a type; new jobs wake it at once. `signal` aborts when the job expires or the queue stops. */
  work<Payload extends object>(
    type: JobType<Payload>,
    options: WorkOptions,
    handle: (payload: Payload, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** Rejects when the queue cannot be reached. */
  check(): Promise<void>;
  /** Number of jobs of every type, counted once a minute. */
  counts(): Promise<JobCounts[]>;
  /** Waits at most `timeoutMs` for running jobs; the others run again in another program. */
  stop(timeoutMs?: number): Promise<void>;
}

export interface JobCounts {
  readonly type: string;
  readonly waiting: number;
  readonly active: number;
  /** Jobs that used up their tries; pg-boss deletes them later. */
  readonly failed: number;
}

export interface QueueOptions {
  /** Address without a transaction pooler (DIRECT_DATABASE_URL), because the queue listens. */
  readonly databaseUrl: string;
  readonly types: readonly JobType<object>[];
  /** Whether this program also retries, expires, deletes and schedules jobs; otherwise it only sends. */
  readonly supervise: boolean;
  /** How long a connection may take; 10 s by default. */
  readonly connectMs?: number;
  /** Receives errors of the background work of the queue. */
  readonly onError: (error: Error) => void;
}

/** New jobs wake a worker by NOTIFY. Polling finds tries that have become due: once in this time by any worker of a type. */
const POLL_SECONDS = 1;

/** Connects and creates the tables of pg-boss (schema `pgboss`) and the queues that are missing. */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { supervise } = options;
  const boss = new PgBoss({
    connectionString: options.databaseUrl,
    ...(options.connectMs !== undefined && { connectionTimeoutMillis: options.connectMs }),
    max: supervise ? 4 : 2,
    supervise,
    schedule: supervise,
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
    schedule: (type, payload, { cron, key, delaySeconds = 0 }) =>
      boss.schedule(type.name, cron, payload, { key, singletonKey: key, startAfter: delaySeconds }),
    async work(type, { concurrency, batchSize = 1 }, handle) {
      const settings = {
        batchSize,
        localConcurrency: concurrency,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: POLL_SECONDS,
        // Each of them polls by itself.
        notifyPollingIntervalSeconds: POLL_SECONDS * concurrency,
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

/** The result of one job. It does not change the result of other jobs in the batch. */
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

/** Creates the queue or updates its settings. */
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

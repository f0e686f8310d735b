import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ChatClient } from './chat/chat-client.ts';
import type { Config } from './config.ts';
import { type Db, poolCounts, watchStatements } from './database/db.ts';
import type { Queue } from './jobs/queue.ts';
import type { Logger } from './logger.ts';
import { type ReadinessChecks, readiness } from './readiness.ts';

/** One answer of the API, for the histogram of request times. */
export interface Answer {
  readonly method: string;
  /** Path of the route with its braces, so that ids do not create series; `none` where no route matched. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

export interface SeriesMetric {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
}

/** One series of a metric. For a counter `value` is the total so far. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics that this process offers to Prometheus. */
export class Prometheus {
  readonly registry = new Registry();
  readonly #answers = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly #turns = new Counter({
    name: 'job_turns_total',
    help: 'Runs of the background jobs of this process',
    labelNames: ['job', 'outcome'],
    registers: [this.registry],
  });
  readonly #rows = new Counter({
    name: 'job_rows_total',
    help: 'Rows that the background jobs of this process claimed and worked on',
    labelNames: ['job', 'outcome'],
    registers: [this.registry],
  });
  readonly #attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts of this process to deliver to webhooks',
    labelNames: ['status'],
    registers: [this.registry],
  });
  readonly #notifications = new Counter({
    name: 'notification_attempts_total',
    help: 'Attempts of this process to send notifications',
    labelNames: ['channel', 'status'],
    registers: [this.registry],
  });
  readonly #unknownImages = new Counter({
    name: 'images_without_row_removed_total',
    help: 'Images without a row that this process removed',
    registers: [this.registry],
  });

  readonly #statements = new Histogram({
    name: 'database_statement_duration_seconds',
    help: 'Time of the statements of this process, without waiting for a connection',
    labelNames: ['kind'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [this.registry],
  });

  /** @param program label of every metric */
  constructor(program: string) {
    this.registry.setDefaultLabels({ program });
    // Lag of the event loop, memory, garbage collection, processor time and others.
    collectDefaultMetrics({ register: this.registry });
  }

  observe({ method, route, status, seconds }: Answer): void {
    this.#answers.observe({ method, route, status }, seconds);
  }

  /** Counts a run of a background job. */
  countTurn(job: string, outcome: 'done' | 'failed'): void {
    this.#turns.inc({ job, outcome });
  }

  /** Counts the rows that a run of a background job claimed. */
  countRows(job: string, { done, failed }: { readonly done: number; readonly failed: number }): void {
    this.#rows.inc({ job, outcome: 'done' }, done);
    this.#rows.inc({ job, outcome: 'failed' }, failed);
  }

  /** Counts images without a row that were removed. */
  countUnknownImages(removed: number): void {
    this.#unknownImages.inc(removed);
  }

  /** Counts a delivery attempt. */
  countAttempt(status: 'success' | 'failed'): void {
    this.#attempts.inc({ status });
  }

  /** Counts an attempt to send a notification. */
  countNotification(channel: 'email' | 'push', status: 'success' | 'failed'): void {
    this.#notifications.inc({ channel, status });
  }

  /** Adds the connections of this pool, and the time of its statements. @param name name of the metric */
  watchPool(db: Db, name = 'database_pool_connections'): void {
    watchStatements(db, (kind, seconds) => this.#statements.observe({ kind }, seconds));
    const help = 'Database connections of this process; waiting: callers that wait for one';
    this.watch({ name, help }, async () => {
      const { total, idle, waiting } = poolCounts(db);
      return { busy: total - idle, idle, waiting };
    });
  }

  /** Adds a gauge with one number per state, read at each scrape. */
  watch(gauge: { name: string; help: string }, read: () => Promise<Readonly<Record<string, number>>>): void {
    new Gauge({
      ...gauge,
      labelNames: ['state'],
      registers: [this.registry],
      async collect() {
        // While the database cannot be reached, a scrape still returns the other metrics.
        for (const [state, count] of Object.entries(await read().catch(() => ({}))))
          this.set({ state }, count);
      },
    });
  }

  /** Adds the time that this database needs for an empty query over a connection of the program. */
  watchDatabase(db: Db): void {
    const help = 'Time of an empty query over the pool of this process, at the scrape';
    this.watchSeries(
      { kind: 'gauge', name: 'database_round_trip_seconds', help, labelNames: [] },
      async () => {
        const beganMs = performance.now();
        await db.$queryRaw`SELECT 1`;
        return [{ labels: {}, value: (performance.now() - beganMs) / 1000 }];
      },
    );
  }

  /** Adds the calls of a language model; 0 where none is configured. */
  watchChat(chat: ChatClient | null): void {
    const calls = { name: 'vlm_calls_total', help: 'Calls of the language model by this process' };
    this.watchSeries({ kind: 'counter', ...calls, labelNames: ['outcome'] }, () =>
      Object.entries(chat?.counts.calls ?? {}).map(([outcome, value]) => ({ labels: { outcome }, value })),
    );
    const tokens = { name: 'vlm_tokens_total', help: 'Tokens of these calls, as the server counts them' };
    this.watchSeries({ kind: 'counter', ...tokens, labelNames: ['direction'] }, () =>
      Object.entries(chat?.counts.tokens ?? {}).map(([direction, value]) => ({
        labels: { direction },
        value,
      })),
    );
  }

  /** Adds a metric with exactly the series that `read` returns at each scrape; none while it rejects. */
  watchSeries(
    { kind, ...metric }: SeriesMetric,
    read: () => readonly Series[] | Promise<readonly Series[]>,
  ): void {
    const registers = [this.registry];
    const series = async () => {
      try {
        return await read();
      } catch {
        return [];
      }
    };
    if (kind === 'gauge') {
      new Gauge({
        ...metric,
        registers,
        async collect() {
          const now = await series();
          this.reset();
          for (const { labels, value } of now) this.set(labels, value);
        },
      });
      return;
    }
    new Counter({
      ...metric,
      registers,
      async collect() {
        const now = await series();
        this.reset();
        for (const { labels, value } of now) this.inc(labels, value);
      },
    });
  }

  /** Adds the jobs of this queue. */
  watchQueue(queue: Queue): void {
    new Gauge({
      name: 'queue_jobs',
      help: 'Jobs of the queue, as last counted by a worker',
      labelNames: ['type', 'state'],
      registers: [this.registry],
      async collect() {
        for (const { type, waiting, active, failed } of await queue.counts().catch(() => [])) {
          this.set({ type, state: 'waiting' }, waiting);
          this.set({ type, state: 'active' }, active);
          this.set({ type, state: 'failed' }, failed);
        }
      },
    });
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

export interface MetricsServer {
  /** e.g. `http://127.0.0.1:9464`; below it `/metrics`, `/healthz` and `/readyz` */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves `/metrics`, `/healthz` and `/readyz` on METRICS_HOST and METRICS_PORT; nothing where there is no port. */
export async function serveMetrics(
  { registry }: Prometheus,
  { config, logger }: { config: Config; logger: Logger },
  checks: ReadinessChecks,
): Promise<MetricsServer | null> {
  const { metricsHost: host, metricsPort: port } = config;
  if (port === undefined) return null;
  const server = createServer(async (request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    const answer = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'Content-Type': type }).end(text);
    try {
      if (path === '/metrics') answer(200, registry.contentType, await registry.metrics());
      else if (path === '/healthz') answer(200, JSON_TYPE, JSON.stringify({ status: 'ok' }));
      else if (path === '/readyz') {
        const found = await readiness(checks);
        answer(found.status === 'ready' ? 200 : 503, JSON_TYPE, JSON.stringify(found));
      } else answer(404, 'text/plain', 'Only GET /metrics, /healthz and /readyz are here\n');
    } catch (error) {
      logger.error({ err: error }, 'The metrics could not be collected');
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`Cannot serve metrics on ${host}:${port} (METRICS_PORT): ${error.message}`)),
    );
    server.listen(port, host, resolve);
  });
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  logger.info({ metrics: url }, 'Prometheus finds /metrics here');
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

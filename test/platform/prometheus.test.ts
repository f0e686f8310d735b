import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { watchInstallation } from '../../src/analytics/overview/admin/watch-installation.ts';
import { idParams } from '../../src/http/fields.ts';
import { route } from '../../src/http/route.ts';
import { ChatClient } from '../../src/platform/chat/chat-client.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { createDb } from '../../src/platform/database/db.ts';
import { lazyQueue } from '../../src/platform/jobs/lazy-queue.ts';
import { type Queue, startQueue } from '../../src/platform/jobs/queue.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { Prometheus, serveMetrics } from '../../src/platform/prometheus.ts';
import { kit } from '../http/support.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { refusedUrl } from '../support/servers/stream-server.ts';

const JOB = { name: 'job', retryLimit: 0, retryDelaySeconds: 1, expireSeconds: 60 };
const logger = createLogger({ level: 'silent', program: 'test' });

let database: TestDatabase;
let queue: Queue;
beforeAll(async () => {
  database = await testDatabase();
  const options = { databaseUrl: database.url, types: [JOB], supervise: false, onError: () => undefined };
  queue = lazyQueue(() => startQueue(options));
});
afterAll(async () => {
  await queue.stop(1_000);
  await database.drop();
});

test('/metrics shows answers by route, the event loop, the connection pool and the queue', async () => {
  const prometheus = new Prometheus('test');
  let fault: string | null = '1 of 2 ready';
  prometheus.watchPool(database.db);
  prometheus.watchQueue(queue);
  prometheus.countTurn('month-change', 'done');
  prometheus.countTurn('month-change', 'failed');
  prometheus.countRows('schedules', { done: 3, failed: 0 });
  prometheus.countAttempt('success');
  const metrics = await serveMetrics(
    prometheus,
    {
      config: loadConfig({ NODE_ENV: 'test', METRICS_PORT: '0' }),
      logger,
    },
    { database: () => database.db.$queryRaw`SELECT 1`, lanes: () => fault },
  );
  const one = route({
    name: 'one',
    method: 'get',
    path: '/things/{id}',
    scope: 'scene:read',
    summary: 'one',
    params: idParams,
    response: z.string(),
  }).answers(async ({ params }) => params.id);
  const app = kit([one], { observe: (answer) => prometheus.observe(answer) });
  const id = '11111111-1111-1111-1111-111111111111';
  await request(app).get(`/api/v1/things/${id}`).set('Authorization', 'Bearer good');
  await request(app).get(`/api/v1/things/${id}`);
  await request(app).get(`/api/v1/nothing/${id}`);
  await database.db.$queryRaw`SELECT 1`;

  const scrape = await request(metrics!.url).get('/metrics');
  expect(scrape.headers['content-type']).toContain('text/plain');
  for (const line of [
    'http_request_duration_seconds_count{program="test",method="GET",route="/things/{id}",status="200"} 1',
    'http_request_duration_seconds_count{program="test",method="GET",route="/things/{id}",status="401"} 1',
    'http_request_duration_seconds_count{program="test",method="GET",route="none",status="404"} 1',
    'database_pool_connections{state="idle",program="test"} 1',
    'database_statement_duration_seconds_count{program="test",kind="select"} ',
    'job_turns_total{job="month-change",outcome="failed",program="test"} 1',
    'job_rows_total{job="schedules",outcome="done",program="test"} 3',
    'webhook_attempts_total{status="success",program="test"} 1',
    'queue_jobs{type="job",state="waiting",program="test"} 0',
    'nodejs_eventloop_lag_p99_seconds{program="test"}',
  ]) {
    expect(scrape.text).toContain(line);
  }
  expect(scrape.text).not.toContain(id);
  expect((await request(metrics!.url).get('/healthz')).body).toEqual({ status: 'ok' });
  const notReady = await request(metrics!.url).get('/readyz');
  expect([notReady.status, notReady.body]).toEqual([
    503,
    { status: 'not ready', parts: { database: 'ready', lanes: '1 of 2 ready' } },
  ]);
  fault = null;
  expect((await request(metrics!.url).get('/readyz?x')).status).toBe(200);
  expect((await request(metrics!.url).post('/readyz')).status).toBe(404);
  expect((await request(metrics!.url).get('/../api/v1/scenes')).status).toBe(404);
  await metrics!.stop();
});

test('/metrics shows what waits, nodes, quotas and calls of the model; without the database it shows the rest', async () => {
  const { db } = database;
  const user = await db.user.create({ data: { email: 'metrics@example.com' } });
  const quota = (feature: 'alert' | 'vlm', used: bigint, isUnlimited = false) => {
    const of = { scope: 'user' as const, scopeId: user.id, userId: user.id, period: '2026-01' };
    return db.quota.create({ data: { ...of, feature, limit: 10n, used, isUnlimited } });
  };
  await quota('alert', 8n);
  await quota('vlm', 11n);
  const prometheus = new Prometheus('test');
  const failing = new ChatClient({ url: await refusedUrl('http'), model: 'm', clock: systemClock });
  const question = {
    messages: [],
    schema: { name: 'x', schema: {} },
    maxOutputTokens: 1,
    timeoutSeconds: 60,
    isReadable: () => true,
  };
  await expect(failing.ask({ ...question, signal: new AbortController().signal })).rejects.toThrow();
  const clock = { ...systemClock, now: () => new Date('2026-01-15T00:00:00Z') };
  prometheus.watchChat(failing);
  prometheus.watchDatabase(db);
  watchInstallation(prometheus, { db, clock });
  const text = await prometheus.registry.metrics();
  for (const line of [
    'vlm_calls_total{outcome="VLM_CONNECTION",program="test"} 1',
    'vlm_tokens_total{direction="input",program="test"} 0',
    'backlog_items{kind="webhook_delivery",program="test"} 0',
    'backlog_items{kind="notification",program="test"} 0',
    'backlog_oldest_seconds{kind="insight",program="test"} 0',
    'compute_nodes{health="healthy",program="test"} 0',
    'quotas{feature="alert",used="from_80_percent",program="test"} 1',
    'quotas{feature="vlm",used="all",program="test"} 1',
  ])
    expect(text).toContain(line);
  expect(text).toMatch(/database_round_trip_seconds\{program="test"\} 0\.\d/);

  const away = new Prometheus('away');
  const noDb = createDb('postgresql://nobody@127.0.0.1:1/none');
  away.watchChat(failing);
  watchInstallation(away, { db: noDb, clock });
  const rest = await away.registry.metrics();
  expect(rest).toContain('vlm_calls_total{outcome="VLM_CONNECTION",program="away"} 1');
  expect(rest).not.toContain('backlog_items{');
  await noDb.$disconnect();
});

test('without METRICS_PORT nothing is served', async () => {
  const config = loadConfig({ NODE_ENV: 'test' });
  expect(await serveMetrics(new Prometheus('test'), { config, logger }, {})).toBeNull();
});

test('a queue that could not be reached is tried again at its next use', async () => {
  let tries = 0;
  const late = lazyQueue(async () => {
    tries += 1;
    if (tries === 1) throw new Error('the database is away');
    return queue;
  });
  await expect(late.check()).rejects.toThrow('away');
  await late.check();
  await late.check();
  expect(tries).toBe(2);
});

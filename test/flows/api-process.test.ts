import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createUser } from '../../src/access/administer.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { PUBLISHED } from '../support/checked-app.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let database: TestDatabase;
let dataDir: string;
let api: ChildProcess;
let log = '';
/** Standard error. */
let printed = '';
let key: string;

beforeAll(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'analytics-api-'));
  api = spawn(process.execPath, nodeArguments('src/api.ts'), {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: '0',
      METRICS_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  api.stderr!.on('data', (chunk) => {
    printed += String(chunk);
  });
  api.stdout!.on('data', (chunk) => {
    log += String(chunk);
  });
  await eventually('the setup code', () => /code=\S+\n/.test(printed));
  key = (await createUser(database.db, 'load@example.com', false)).key!;
});
afterAll(async () => {
  api.kill('SIGKILL');
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const logged = (name: string) => new RegExp(`"${name}":"(http[^"]+)"`).exec(log)?.[1];

test('without a user it prints a setup code to standard error, and logs neither code nor link', () => {
  const [, code = ''] = /#\/setup\?code=(\S+)/.exec(printed) ?? [];
  expect(printed.split(code)).toHaveLength(3);
  expect(log).toContain('The API listens');
  expect(log).not.toContain(code);
});

interface Outcome {
  /** Of the request, as the API logs it. */
  id: string;
  status?: number | undefined;
  error?: string | undefined;
  /** Whether the request went over a connection that had served one before. */
  reused: boolean;
}

function call(url: string, agent?: Agent): Promise<Outcome> {
  const id = randomUUID();
  const headers = { authorization: `Bearer ${key}`, 'x-request-id': id };
  return new Promise((resolve) => {
    const end = (outcome: Pick<Outcome, 'status' | 'error'>) =>
      resolve({ id, ...outcome, reused: sent.reusedSocket });
    const sent = request(url, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => end({ status: response.statusCode }));
      response.on('error', ({ message }) => end({ error: `cut off: ${message}` }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => end({ error: error.code }));
    sent.end();
  });
}

test('an API process answers as the OpenAPI document says, errors included', async () => {
  const url = await eventually('the API listens', () => logged('url'));
  for (const [path, status] of [
    ['/api/v1/devices?limit=1', 200],
    ['/api/v1/billing/summary', 200],
    ['/api/v1/devices?deviceID=1', 400],
    ['/api/v1/scenes/11111111-1111-1111-1111-111111111111', 404],
  ] as const) {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const headers = Object.fromEntries(answer.headers);
    const body = await answer.text();
    expect([path, answer.status]).toEqual([path, status]);
    expect(PUBLISHED.faultOf({ method: 'GET', path, status, headers, body })).toBeUndefined();
  }
});

test('SIGTERM under load: every accepted request is answered, and the process ends', async () => {
  const url = await eventually('the API listens', () => logged('url'));
  const metricsUrl = await eventually('metrics are served', () => logged('metrics'));
  expect((await call(`${url}/readyz`)).status).toBe(200);
  expect((await call(`${url}/healthz`)).status).toBe(200);

  const outcomes: Outcome[] = [];
  let down = false;
  const clients = Array.from({ length: 16 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!down) {
      const outcome = await call(`${url}/api/v1/devices`, agent);
      if (outcome.error === 'ECONNREFUSED') down = true;
      else outcomes.push(outcome);
    }
    agent.destroy();
  });
  await eventually('there is load', () => outcomes.length > 200);
  const scrape = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(scrape).toMatch(
    /http_request_duration_seconds_count\{program="api",method="GET",route="\/devices",status="200"\} \d+/,
  );
  expect(scrape).toContain('analysis_tasks{state="queued",program="api"} 0');

  const exited = once(api, 'close');
  api.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await Promise.all(clients);
  // A connection may close at the moment at which its next request leaves. The API has not seen that one, and HTTP clients
  // send it again.
  const wasClosed = ({ id, error, reused }: Outcome) => error === 'ECONNRESET' && reused && !log.includes(id);
  expect(outcomes.filter((outcome) => outcome.status !== 200 && !wasClosed(outcome))).toEqual([]);
});

test('its log has one JSON line per answer and shows neither the API key nor the database password', () => {
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { path?: string });
  expect(lines.filter(({ path }) => path === '/api/v1/devices').length).toBeGreaterThan(200);
  expect(log.includes('The API has stopped')).toBe(true);
  expect(log.includes(key.slice(-20))).toBe(false);
  expect(log.includes(new URL(database.url).password)).toBe(false);
});

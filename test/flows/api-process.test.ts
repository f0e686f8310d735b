import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createUser } from '../../src/access/administer.ts';
import { emit } from '../../src/delivery/events/emit.ts';
import { sealSecret } from '../../src/delivery/webhooks/secret.ts';
import { faultInDelivery } from '../../src/delivery/webhooks/sign.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { PUBLISHED } from '../support/checked-app.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, queueScene, TEST_ENCRYPTION_KEYS, testSealer } from '../support/rows/runs.ts';
import { answering, type TestReceiver, testReceiver } from '../support/servers/receiver.ts';
import { TestNode } from '../support/test-node.ts';

const SECRET = 'a secret of the receiver';

interface Program {
  readonly process: ChildProcess;
  readonly log: () => string;
  /** Standard error. */
  readonly printed: () => string;
}

let database: TestDatabase;
let receiver: TestReceiver;
let dataDir: string;
let api: Program;
/** It runs no jobs. */
let quiet: Program;
let key: string;
const programs: Program[] = [];

beforeAll(async () => {
  database = await testDatabase();
  receiver = await testReceiver();
  dataDir = await mkdtemp(join(tmpdir(), 'analytics-jobs-'));
  api = start();
  quiet = start({ API_JOBS: 'false', RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'debug' });
  await eventually('the setup code', () => /code=\S+\n/.test(quiet.printed()));
  await address(api, 'url');
  key = (await createUser(database.db, 'load@example.com', false)).key!;
});
afterEach(() => {
  receiver.arrived.length = 0;
  receiver.answer = answering(204);
});
afterAll(async () => {
  for (const program of programs) program.process.kill('SIGKILL');
  await receiver.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts an API as a process. */
function start(environment: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(process.execPath, nodeArguments('src/api.ts'), {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      PORT: '0',
      METRICS_PORT: '0',
      WEBHOOK_ALLOW_HOSTS: 'localhost',
      WEBHOOK_CA_FILE: receiver.caFile,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [log, printed] = ['', ''];
  child.stdout!.on('data', (chunk) => {
    log += String(chunk);
  });
  child.stderr!.on('data', (chunk) => {
    printed += String(chunk);
  });
  const program = { process: child, log: () => log, printed: () => printed };
  programs.push(program);
  return program;
}

/** @returns the address it logged when it was ready to be asked */
const address = (program: Program, name: 'url' | 'metrics'): Promise<string> =>
  eventually(`it logs its ${name}`, () => new RegExp(`"${name}":"(http[^"]+)"`).exec(program.log())?.[1]);

const addWebhook = (userId: string) =>
  database.db.webhook.create({
    data: { userId, url: receiver.url, timeoutMs: 30_000, maxRetries: 3, ...sealSecret(testSealer, SECRET) },
  });

let told = 0;
const tell = (userId: string) =>
  database.db.$transaction((tx) =>
    emit(tx, {
      userId,
      type: 'system_announcement',
      data: { title: 'T', message: 'M' },
      occurredAt: new Date(),
      dedupeKey: `api-jobs ${++told}`,
    }),
  );
const addUser = async () => {
  const { id } = await database.db.user.create({ data: { email: `jobs${++told}@example.com` } });
  await addWebhook(id);
  return id;
};
const came = (type: string) => receiver.arrived.find(({ body }) => JSON.parse(body.toString()).type === type);

test('without a user it prints a setup code to standard error, and logs neither code nor link', () => {
  const [, code = ''] = /#\/setup\?code=(\S+)/.exec(quiet.printed()) ?? [];
  expect(quiet.printed().split(code)).toHaveLength(3);
  expect(quiet.log()).toContain('The API listens');
  expect(quiet.log()).not.toContain(code);
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
  const url = await address(quiet, 'url');
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

test('when the only worker says nothing any more, the API sends node_offline', async () => {
  const { db } = database;
  const device = await addDevice(db, 'sim:shop?seed=3');
  await addWebhook(device.userId);
  await queueScene(db, device);
  const { supervisor, member } = await TestNode.join(db, 'silent');
  await supervisor.claim();
  await supervisor.renew();
  // A minute passes: the node was heard of that long ago.
  await db.$executeRaw`
    UPDATE "ComputeNode" SET "lastHeartbeatAt" = "lastHeartbeatAt" - interval '60 seconds' WHERE id = ${member.id}::uuid`;

  const { headers, body } = await eventually('node_offline arrives', () => came('node_offline'));
  expect(faultInDelivery({ headers, body, secret: SECRET, now: new Date() })).toBeNull();
  expect(JSON.parse(body.toString()).data).toMatchObject({ computeNodeId: member.id, health: 'offline' });
});

test('an API with API_JOBS=false runs no jobs', async () => {
  const scrape = async (program: Program) =>
    (await fetch(`${await address(program, 'metrics')}/metrics`)).text();
  // It counts an attempt after the receiver has had it.
  const counted = [
    'job_turns_total{job="month-change",outcome="done",program="api"}',
    'webhook_attempts_total{status="success",program="api"} 1',
  ];
  const others = await eventually('the other API has done a job and delivered', async () => {
    const text = await scrape(api);
    return counted.every((line) => text.includes(line)) && text;
  });
  expect(others).toContain('jobs_pool_connections{');
  const own = await scrape(quiet);
  expect(own).toContain('database_pool_connections{');
  expect(own).not.toContain('job_turns_total{');
  expect(own).not.toContain('jobs_pool_connections{');
});

test('SIGTERM under load: every accepted request is answered, and the process ends', async () => {
  const url = await address(quiet, 'url');
  const metricsUrl = await address(quiet, 'metrics');
  expect((await call(`${url}/readyz`)).status).toBe(200);
  expect((await call(`${url}/healthz`)).status).toBe(200);

  const outcomes: Outcome[] = [];
  let down = false;
  // No more than there are connections to the database: on a busy machine a request that waits long for one is answered with 503.
  const clients = Array.from({ length: 4 }, async () => {
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
  expect(scrape).toMatch(/analysis_tasks\{state="queued",program="api"\} \d/);

  const exited = once(quiet.process, 'close');
  quiet.process.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await Promise.all(clients);
  // A connection may close at the moment at which its next request leaves. The API has not seen that one, and HTTP clients
  // send it again.
  const wasClosed = ({ id, error, reused }: Outcome) =>
    error === 'ECONNRESET' && reused && !quiet.log().includes(id);
  expect(outcomes.filter((outcome) => outcome.status !== 200 && !wasClosed(outcome))).toEqual([]);
});

test('its log has one JSON line per answer and shows neither the API key nor the database password', () => {
  const log = quiet.log();
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { path?: string });
  expect(lines.filter(({ path }) => path === '/api/v1/devices').length).toBeGreaterThan(200);
  expect(log.includes('The API has stopped')).toBe(true);
  expect(log.includes(key.slice(-20))).toBe(false);
  expect(log.includes(new URL(database.url).password)).toBe(false);
});

test('an API that stops during a delivery releases it at once, for another to make it', async () => {
  const userId = await addUser();
  const arrived = new Promise<void>((resolve) => {
    receiver.answer = () => resolve();
  });
  const eventId = await tell(userId);
  await arrived;
  const ended = once(api.process, 'exit');
  api.process.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const record = () => database.db.webhookDelivery.findFirst({ where: { eventId: eventId! } });
  expect(await record()).toMatchObject({ status: 'pending', claimedUntil: null, attemptNumber: 1 });
});

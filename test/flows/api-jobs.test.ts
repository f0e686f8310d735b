import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createUser } from '../../src/access/administer.ts';
import { emit } from '../../src/delivery/events/emit.ts';
import { sealSecret } from '../../src/delivery/webhooks/secret.ts';
import { faultInDelivery } from '../../src/delivery/webhooks/sign.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, queueScene, TEST_ENCRYPTION_KEYS, testSealer } from '../support/rows/runs.ts';
import { answering, type TestReceiver, testReceiver } from '../support/servers/receiver.ts';
import { TestNode } from '../support/test-node.ts';

const SECRET = 'a secret of the receiver';

interface Program {
  readonly process: ChildProcess;
  readonly log: () => string;
}

let database: TestDatabase;
let receiver: TestReceiver;
let dataDir: string;
let api: Program;
let quiet: Program;
const programs: Program[] = [];

beforeAll(async () => {
  database = await testDatabase();
  receiver = await testReceiver();
  dataDir = await mkdtemp(join(tmpdir(), 'analytics-jobs-'));
  api = start();
  quiet = start({ API_JOBS: 'false' });
  await address(api, 'url');
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
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout!.on('data', (chunk) => {
    log += String(chunk);
  });
  const program = { process: child, log: () => log };
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

test('an API with API_JOBS=false answers requests, runs no jobs and stops at SIGTERM', async () => {
  const { key } = await createUser(database.db, 'quiet@example.com', false);
  const scrape = async (program: Program) =>
    (await fetch(`${await address(program, 'metrics')}/metrics`)).text();
  const url = await address(quiet, 'url');
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const answer = await fetch(`${url}/api/v1/devices`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);

  const others = await eventually('the other API has done a job', async () => {
    const text = await scrape(api);
    return text.includes('job_turns_total{job="month-change",outcome="done",program="api"}') && text;
  });
  expect(others).toContain('webhook_attempts_total{status="success",program="api"} 1');
  expect(others).toContain('jobs_pool_connections{');
  const own = await scrape(quiet);
  expect(own).toContain('database_pool_connections{');
  expect(own).not.toContain('job_turns_total{');
  expect(own).not.toContain('jobs_pool_connections{');

  const ended = once(quiet.process, 'exit');
  quiet.process.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
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

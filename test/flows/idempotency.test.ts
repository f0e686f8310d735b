import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createUser } from '../../src/access/administer.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let database: TestDatabase;
let dataDir: string;
let userId: string;
let apiKey: string;
let first: Api;
let second: Api;

interface Api {
  readonly url: string;
  readonly process: ChildProcess;
}

async function startApi(): Promise<Api> {
  const child = spawn(process.execPath, nodeArguments('src/api.ts'), {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: '0',
      STREAM_ALLOW_HOSTS: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout!.on('data', (chunk) => {
    log += String(chunk);
  });
  const url = await eventually('the API listens', () => /"url":"(http[^"]+)"/.exec(log)?.[1]);
  return { url, process: child };
}

async function kill({ process: child }: Api): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function create({ url }: Api, key: string, streamUrl: string) {
  const answer = await fetch(`${url}/api/v1/devices`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ name: key, streamUrl }),
  });
  const body = (await answer.json()) as {
    data?: { id: string; onlineStatus: string };
    error?: { code: string };
  };
  return {
    status: answer.status,
    isReplayed: answer.headers.get('idempotency-replayed') === 'true',
    ...body,
  };
}

const devicesOf = (name: string) => database.db.device.findMany({ where: { userId, name } });

beforeAll(async () => {
  database = await testDatabase();
  const user = await createUser(database.db, 'shop@example.com', false);
  [userId, apiKey] = [user.userId, user.key!];
  dataDir = await mkdtemp(join(tmpdir(), 'analytics-api-'));
  [first, second] = await Promise.all([startApi(), startApi()]);
});
afterAll(async () => {
  first?.process.kill('SIGKILL');
  second?.process.kill('SIGKILL');
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('two processes that get the same call at the same time create one thing', async () => {
  for (let round = 0; round < 5; round++) {
    const key = `both-${round}`;
    const answers = await Promise.all(
      [first, second, first, second].map((api) => create(api, key, 'sim:shop?seed=1')),
    );
    const [device, ...others] = await devicesOf(key);
    expect(others).toEqual([]);
    for (const { status, data, error } of answers) {
      if (status === 201) expect(data!.id).toBe(device!.id);
      else expect([status, error!.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
    }
  }
});

test('after a kill behind the commit the next process answers with the created thing', async () => {
  // A camera that takes the connection and says nothing: the API looks at the new device for seconds.
  const silent: Server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const streamUrl = `rtsp://127.0.0.1:${port}/live`;
  const lost = create(first, 'after', streamUrl).catch((error: Error) => error);
  const [device] = await eventually('the device is there', async () => {
    const found = await devicesOf('after');
    return found.length > 0 && found;
  });
  await kill(first);
  expect(await lost).toBeInstanceOf(Error);
  const again = await create(second, 'after', streamUrl);
  expect([again.status, again.isReplayed, again.data!.id]).toEqual([201, true, device!.id]);
  expect(again.data!.onlineStatus).toBe('unknown');
  expect(await devicesOf('after')).toHaveLength(1);
  silent.close();
});

test('after a kill before the commit the key can be used again once its claim has ended', async () => {
  first = await startApi();
  const locker = new pg.Client({ connectionString: database.url });
  await locker.connect();
  await locker.query('BEGIN');
  await locker.query('SELECT 1 FROM "User" WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const lost = create(first, 'before', 'sim:shop?seed=1').catch((error: Error) => error);
  await eventually('the call waits for the row of its user', async () => {
    const { rows } = await locker.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await kill(first);
  expect(await lost).toBeInstanceOf(Error);
  await locker.query('COMMIT');
  await locker.end();
  const early = await create(second, 'before', 'sim:shop?seed=1');
  expect([early.status, early.error!.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
  const [claim] = await database.db.idempotentCall.findMany({ where: { answerSealed: null } });
  expect(claim!.claimedUntil.getTime() - Date.now()).toBeLessThanOrEqual(40_000);
  await database.db
    .$executeRaw`UPDATE "IdempotentCall" SET "claimedUntil" = now() WHERE "answerSealed" IS NULL`;
  const late = await create(second, 'before', 'sim:shop?seed=1');
  expect([late.status, late.isReplayed]).toEqual([201, false]);
  expect(await devicesOf('before')).toHaveLength(1);
});

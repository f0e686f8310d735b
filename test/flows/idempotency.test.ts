import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type RunningServer, startServer } from '../../src/http/server/server.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { type ApiUser, type TestApi, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { TEST_ENCRYPTION_KEYS } from '../support/rows/runs.ts';

// Two processes over one database: an API in this one, and one that is killed.
let api: TestApi;
let server: RunningServer;
let other: Program;
let dataDir: string;
let user: ApiUser;

interface Program {
  readonly url: string;
  readonly process: ChildProcess;
}

async function startApi(): Promise<Program> {
  const child = spawn(process.execPath, nodeArguments('src/api.ts'), {
    env: {
      ...{ PATH: process.env.PATH, DATABASE_URL: api.context.config.databaseUrl, DATA_DIR: dataDir },
      ...{
        ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
        PORT: '0',
        STREAM_ALLOW_HOSTS: '127.0.0.1',
        API_JOBS: 'false',
      },
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

async function kill({ process: child }: Program): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function create(url: string, key: string, streamUrl: string) {
  const answer = await fetch(`${url}/api/v1/devices`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${user.key}`,
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

const devicesOf = (name: string) => api.context.db.device.findMany({ where: { userId: user.userId, name } });

beforeAll(async () => {
  api = await testApi({ STREAM_ALLOW_HOSTS: '127.0.0.1' }, systemClock);
  user = await api.user();
  server = await startServer(api.app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
  dataDir = await mkdtemp(join(tmpdir(), 'analytics-api-'));
  other = await startApi();
});
afterAll(async () => {
  other?.process.kill('SIGKILL');
  await server?.stop();
  await api?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('two processes that get the same call at the same time create one thing', async () => {
  for (let round = 0; round < 5; round++) {
    const key = `both-${round}`;
    const answers = await Promise.all(
      [other, server, other, server].map(({ url }) => create(url, key, 'sim:shop?seed=1')),
    );
    const [device, ...others] = await devicesOf(key);
    expect(others).toEqual([]);
    for (const { status, data, error } of answers) {
      if (status === 201) expect(data!.id).toBe(device!.id);
      else expect([status, error!.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
    }
  }
});

/**
 * Kills the other process after a device was created and before its call was answered, and while a second call waits to create one.
 * @returns false where one of the two was answered before
 */
async function isKilledBetween(after: string, before: string, streamUrl: string): Promise<boolean> {
  const committed = create(other.url, after, streamUrl).catch((error: Error) => error);
  await eventually('the device is there', async () => (await devicesOf(after)).length > 0);
  const locker = new pg.Client({ connectionString: api.context.config.databaseUrl });
  await locker.connect();
  try {
    await locker.query('BEGIN');
    await locker.query('SELECT 1 FROM "User" WHERE id = $1 FOR NO KEY UPDATE', [user.userId]);
    const waiting = create(other.url, before, 'sim:shop?seed=1').catch((error: Error) => error);
    let isAnswered = false;
    void waiting.then(() => {
      isAnswered = true;
    });
    await eventually('the call waits for the row of its user', async () => {
      const { rows } = await locker.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0 || isAnswered;
    });
    await kill(other);
    return [await committed, await waiting].every((answer) => answer instanceof Error);
  } finally {
    await locker.query('ROLLBACK');
    await locker.end();
  }
}

test('after a kill the next process answers with what was created, and a key whose call created nothing can be used again', async () => {
  // A camera that takes the connection and says nothing: the API looks at the new device for seconds.
  const silent: Server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const streamUrl = `rtsp://127.0.0.1:${port}/live`;
  // A machine that is slower than a limit of the service, for the look at a device or the wait for a row, kills too late: it tries again.
  let tried = 0;
  let [after, before] = ['after', 'before'];
  while (!(await isKilledBetween(after, before, streamUrl))) {
    tried++;
    [after, before] = [`after-${tried}`, `before-${tried}`];
    other = await startApi();
  }
  const [device] = await devicesOf(after);

  const again = await create(server.url, after, streamUrl);
  expect([again.status, again.isReplayed, again.data!.id]).toEqual([201, true, device!.id]);
  expect(again.data!.onlineStatus).toBe('unknown');
  expect(await devicesOf(after)).toHaveLength(1);
  silent.close();

  const { db } = api.context;
  const unanswered = { where: { answerSealed: null } };
  const [claim] = await db.idempotentCall.findMany(unanswered);
  expect(claim!.claimedUntil.getTime() - Date.now()).toBeLessThanOrEqual(40_000);
  const claimUntil = (seconds: number) =>
    db.idempotentCall.updateMany({
      ...unanswered,
      data: { claimedUntil: new Date(Date.now() + seconds * 1000) },
    });
  await claimUntil(3600);
  const early = await create(server.url, before, 'sim:shop?seed=1');
  expect([early.status, early.error!.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
  await claimUntil(-1);
  const late = await create(server.url, before, 'sim:shop?seed=1');
  expect([late.status, late.isReplayed]).toEqual([201, false]);
  expect(await devicesOf(before)).toHaveLength(1);
});

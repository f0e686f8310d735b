import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { processTree } from '../../scripts/support/process-tree.ts';
import { DEFAULT_MODEL } from '../../src/models/cards.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { processStartTime } from '../../src/platform/processes/processes.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, queueScene, TEST_ENCRYPTION_KEYS } from '../support/rows/runs.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'npm-killed-'));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

test('SIGKILL of `npm run worker` stops the worker: no process stays, and its run is released', async () => {
  const { db } = database;
  const { task } = await queueScene(db, await addDevice(db, 'sim:shop?seed=7', 2));
  const read = () => db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
  const npm = spawn('npm', ['run', '-s', 'worker'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      MODEL: DEFAULT_MODEL,
      MODEL_CACHE_DIR: loadConfig({}).modelCacheDir,
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      LANES: '1',
      LEASE_SECONDS: '600',
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  });
  let below: ReturnType<typeof processTree> = [];
  try {
    await eventually('the run is running', async () => (await read()).runStatus === 'running');
    below = processTree(npm.pid!).filter(({ pid }) => pid !== npm.pid);
    expect(below.some(({ name }) => name.startsWith('ffmpeg'))).toBe(true);
    npm.kill('SIGKILL');
    await eventually('all processes below npm are gone', () =>
      below.every(({ pid }) => processStartTime(pid) === null),
    );
    // A worker that is killed leaves its run to its lease of ten minutes.
    expect(await read()).toMatchObject({ status: 'QUEUED' });
  } finally {
    npm.kill('SIGKILL');
    for (const { pid } of below) if (processStartTime(pid) !== null) process.kill(pid, 'SIGKILL');
  }
});

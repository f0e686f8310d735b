import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Account, databaseAccount, handOver } from '../../scripts/postgres/account.ts';
import { createDb, type Db } from '../../src/platform/database/db.ts';
import { buildTree, removeBuiltTree } from '../support/built-tree.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, queueScene, TEST_ENCRYPTION_KEYS } from '../support/rows/runs.ts';
import { onServer, testServer, withDatabase } from '../support/servers/cluster.ts';

const DATABASE = `built_programs_${process.pid}`;

let tree: string;
let dataDir: string;
/** Root would be allowed to write everywhere: as root the programs run as another user. */
let account: Account | null;
let serverUrl: string;
let db: Db;
const programs: ChildProcess[] = [];

beforeAll(async () => {
  tree = await buildTree();
  dataDir = await mkdtemp(join(tmpdir(), 'built-data-'));
  account = await databaseAccount([join(tree, 'dist/src/api.js'), process.execPath]);
  await handOver(dataDir, account);
  await chmod(dataDir, 0o700);
  serverUrl = (await testServer()).url;
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${DATABASE}`));
  db = createDb(withDatabase(serverUrl, DATABASE));
});
afterAll(async () => {
  for (const program of programs) program.kill('SIGKILL');
  await db?.$disconnect();
  if (serverUrl)
    await onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`));
  await removeBuiltTree(tree);
  await rm(dataDir, { recursive: true });
});

/** Command, arguments and options that run a JavaScript file of the tree, its folder `dataDir` alone writable. */
function asUser(...args: string[]) {
  const [command = '', ...rest] = [...(account?.prefix ?? []), process.execPath, ...args];
  const ids = account && account.prefix.length === 0 ? { uid: account.uid, gid: account.gid } : {};
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    DATABASE_URL: withDatabase(serverUrl, DATABASE),
    DATA_DIR: dataDir,
    HOME: dataDir,
    PORT: '0',
    PUBLIC_URL: 'http://localhost:8080',
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    URL_SIGNING_KEY: 'a key for tests that is long enough',
    CHECKPOINT_DISABLE: '1',
    // The one that is prepared fastest.
    MODEL: 'nanodet-g',
    ATTRIBUTE_MODELS: 'none',
    LANES: '1',
    MAX_CONCURRENT_DEVICES: '1',
  };
  return [command, rest, { cwd: tree, env, ...ids }] as const;
}

function start(file: string): { program: ChildProcess; output: () => string } {
  const [command, args, options] = asUser(file);
  const program = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  programs.push(program);
  let output = '';
  for (const stream of [program.stdout!, program.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { program, output: () => output };
}

test('the built API, worker and lane run without development packages, and write to DATA_DIR alone', async () => {
  await promisify(execFile)(...asUser('node_modules/prisma/build/index.js', 'migrate', 'deploy'));

  const api = start('dist/src/api.js');
  const url = await eventually('the API listens', () => {
    if (api.program.exitCode !== null) throw new Error(api.output());
    return /"url":"(http[^"]+)"/.exec(api.output())?.[1];
  });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/docs/`)).status).toBe(200);
  const [, script] = /<script type="module"[^>]* src="\.\/([^"]+)"/.exec(
    await (await fetch(`${url}/`)).text(),
  )!;
  expect((await fetch(`${url}/${script}`)).status).toBe(200);

  const { task } = await queueScene(db, await addDevice(db, 'sim:shop?seed=7', 2));
  const worker = start('dist/src/worker.js');
  await eventually('the lane processes frames', async () => {
    if (worker.program.exitCode !== null) throw new Error(worker.output());
    const { stats } = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
    return ((stats as { processedFrames: number } | null)?.processedFrames ?? 0) > 2;
  });
  expect(await readdir(join(dataDir, 'models'))).not.toEqual([]);

  for (const { program } of [api, worker]) {
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  }
});

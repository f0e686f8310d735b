import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { processStartTime } from '../../src/platform/processes/processes.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { eventually } from '../support/eventually.ts';
import { scratchFolder } from '../support/ffmpeg.ts';

let folder: string;
let demo: ChildProcess;
beforeEach(() => {
  folder = scratchFolder();
  const args = [...nodeArguments('scripts/demo.ts'), '--data', folder];
  const { DATABASE_URL: _, ...env } = process.env;
  demo = spawn(process.execPath, args, { env, stdio: 'ignore' });
});
afterEach(() => rm(folder, { recursive: true }));

const serverPid = (): number =>
  Number.parseInt(readFileSync(join(folder, 'postgres/postgres/postmaster.pid'), 'utf8'), 10);
const hasServer = () => existsSync(join(folder, 'postgres/postgres/postmaster.pid'));

const hasEnded = (pid: number) => eventually('PostgreSQL has ended', () => processStartTime(pid) === null);

async function killDemo(): Promise<number> {
  const pid = serverPid();
  demo.kill('SIGKILL');
  await new Promise((resolve) => demo.once('exit', resolve));
  return pid;
}

test('a demo that is killed while its database starts leaves no PostgreSQL behind', async () => {
  await eventually('the database starts', hasServer);
  await hasEnded(await killDemo());
});

test('a demo that is killed while it migrates leaves no PostgreSQL behind, and its rows are whole', async () => {
  await eventually(
    'the database answers',
    () => hasServer() && readFileSync(join(folder, 'postgres/cluster.json'), 'utf8').includes('"startTime"'),
  );
  await hasEnded(await killDemo());
  // Only a server that was asked to end removes it.
  expect(hasServer()).toBe(false);
});

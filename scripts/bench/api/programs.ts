import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase } from './database.ts';
import { CORES, pin } from './pin.ts';

const ROOT = join(import.meta.dirname, '../../..');
const START_MS = 60_000;

export interface Program {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The API as `npm start` runs it, but for limits that nobody reaches. Its log goes to a file. */
export const startApi = (database: BenchDatabase, pinned: boolean): Promise<Program> =>
  start('src/api.ts', { database, pinned, ready: '/readyz', log: 'api.log' });

export const startBare = (database: BenchDatabase, pinned: boolean): Promise<Program> =>
  start('scripts/bench/api/bare.ts', { database, pinned, ready: '/', log: 'bare.log' });

async function start(
  file: string,
  options: { database: BenchDatabase; pinned: boolean; ready: string; log: string },
): Promise<Program> {
  const { database, pinned, ready, log } = options;
  const port = await freePort();
  const output = openSync(join(database.dataDir, log), 'w', 0o600);
  const child = spawn(process.execPath, [...process.execArgv, '--import', 'tsx', join(ROOT, file)], {
    cwd: ROOT,
    stdio: ['ignore', output, output, 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: database.dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '1000000000',
      SEARCH_RATE_LIMIT_PER_MINUTE: '1000000000',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  try {
    for (const deadline = Date.now() + START_MS; !(await answers(`${url}${ready}`)); await sleep(100)) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`${file} did not start: see ${join(database.dataDir, log)}`);
      }
    }
    if (pinned) await pin(child.pid!, CORES.api);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid!, stop };
}

/** Anything but a server's error counts. */
const answers = (url: string) =>
  fetch(url).then(
    ({ status }) => status < 500,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

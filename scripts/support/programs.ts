import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** One of our programs running as a child, its output in a log file. */
export interface Program {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Settles when it has ended. */
  readonly ended: Promise<number | null>;
  readonly running: boolean;
  /** SIGTERM, then SIGKILL after 15 s. */
  stop(): Promise<void>;
}

/** Starts `src/<name>.ts` in its own process group, so that the terminal's Ctrl-C reaches only the demo. */
export function startProgram(name: 'api' | 'worker', env: NodeJS.ProcessEnv, logFolder: string): Program {
  const logFile = join(logFolder, `${name}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', `src/${name}.ts`], {
    cwd: ROOT,
    // One folder of prepared models for every installation on this machine.
    env: { MODEL_CACHE_DIR: loadConfig().modelCacheDir, ...process.env, ...env },
    // Through the channel they notice that the demo is gone, however it ended.
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  let running = true;
  const ended = new Promise<number | null>((resolve) => {
    const done = (code: number | null) => {
      running = false;
      resolve(code);
    };
    child.once('exit', done);
    child.once('error', () => done(null));
  });
  return {
    name,
    pid: child.pid ?? 0,
    logFile,
    ended,
    get running() {
      return running;
    },
    async stop() {
      if (!running) return;
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(killer);
    },
  };
}

/** The last lines a program wrote, for an error message. */
export function lastLines(program: Program, count = 12): string {
  return readFileSync(program.logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}

/** @returns `wanted` if it is free on loopback, else a free port */
export async function freePort(wanted: number): Promise<number> {
  const tryPort = (port: number) =>
    new Promise<number | null>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(null));
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address ? address.port : null));
      });
    });
  const port = (await tryPort(wanted)) ?? (await tryPort(0));
  if (port === null) throw new Error('No free port on 127.0.0.1 for the API.');
  return port;
}

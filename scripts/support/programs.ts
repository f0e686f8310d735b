import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadConfig } from '../../src/platform/config.ts';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import { PROJECT } from '../../src/platform/project.ts';
import { freePort } from './loopback.ts';
import { until } from './until.ts';

/** One of our programs running as a child, its output in a log file. */
export interface Program {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Settles when it has ended. */
  readonly ended: Promise<number | null>;
  readonly running: boolean;
  /** What it has written to its log so far; the log may have lines of earlier programs before. */
  written(): string;
  /** SIGTERM, then SIGKILL after 15 s. */
  stop(): Promise<void>;
  /** SIGKILL. Settles when it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts a TypeScript file of this repository in its own process group, so that the terminal's Ctrl-C reaches only this
 * process. The log file in `logFolder` has the program's name; the program appends to it.
 * @param file e.g. `src/api.ts`
 */
export function startProgram(file: string, env: NodeJS.ProcessEnv, logFolder: string): Program {
  const name = basename(file, '.ts');
  const logFile = join(logFolder, `${name}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const logStart = fstatSync(log).size;
  const child: ChildProcess = spawn(process.execPath, nodeArguments(file), {
    cwd: PROJECT,
    // All installations on this machine share one folder of prepared models.
    env: { MODEL_CACHE_DIR: loadConfig().modelCacheDir, ...process.env, ...env },
    // A program ends when this channel closes, so also when this process is killed.
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  const written = () => readFileSync(logFile).subarray(logStart).toString();
  let running = true;
  const ended = new Promise<number | null>((resolve) => {
    const done = (code: number | null) => {
      running = false;
      resolve(code);
    };
    child.once('exit', done);
    child.once('error', () => done(null));
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    ...{ name, pid: child.pid ?? 0, logFile, written, ended, kill },
    get running() {
      return running;
    },
    async stop() {
      if (!running) return;
      child.kill('SIGTERM');
      const killer = setTimeout(kill, 15_000);
      await ended;
      clearTimeout(killer);
    },
  };
}

/** Characters of a line that a message shows: the code of a bundled program has lines of a megabyte. */
const LONGEST_LINE = 1_000;

/** The last lines that a program wrote, for an error message. */
export function lastLines(program: Program, count = 12): string {
  const lines = program.written().trimEnd().split('\n').slice(-count);
  return lines.map((line) => line.slice(0, LONGEST_LINE)).join('\n');
}

/** The newest sentence with which a program says what is wrong: a warning or an error of its log, or a plain line. */
export function lastComplaint(program: Pick<Program, 'written'>): string | null {
  const complaints = program
    .written()
    .split('\n')
    .flatMap((line) => {
      const logged = logLine(line);
      if (!logged) return NO_SENTENCE.test(line) ? [] : line.trim();
      return (logged.level ?? 0) >= WARNING ? (logged.err?.message ?? logged.msg ?? []) : [];
    });
  return complaints.at(-1) ?? null;
}

/** Lines that Node itself writes around an error that nobody caught. */
const NO_SENTENCE = /^(\s*|\s+at .*|Node\.js v.*|[{}\s]+)$/;
/** pino's number. */
const WARNING = 40;

interface LogLine {
  readonly level?: number;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
  /** Of a start that takes a moment. */
  readonly step?: string;
}

/** @returns null for a line that is not one of our logger */
export function logLine(line: string): LogLine | null {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' ? parsed : null;
  } catch {
    return null;
  }
}

/** For the API's environment: rate limits that no command reaches. */
export const NO_RATE_LIMITS: NodeJS.ProcessEnv = Object.fromEntries(
  ['RATE_LIMIT', 'USER_RATE_LIMIT', 'SEARCH_RATE_LIMIT', 'KEYLESS_RATE_LIMIT', 'AUTH_FAILURES'].map(
    (name) => [`${name}_PER_MINUTE`, '1000000000'],
  ),
);

/** A program that answers HTTP requests at `url`. */
export type ServerProgram = Program & { readonly url: string };

/**
 * Starts a program that serves HTTP at HOST and PORT, and waits until `readyPath` is answered without a server error.
 * @throws Error with the last lines of its log when it ends or is not ready in time
 */
export async function startServer(
  file: string,
  options: { env: NodeJS.ProcessEnv; logFolder: string; readyPath: string },
): Promise<ServerProgram> {
  const PORT = String(await freePort());
  const env = { ...NO_RATE_LIMITS, ...options.env, HOST: '127.0.0.1', PORT };
  const program = startProgram(file, env, options.logFolder);
  const url = `http://127.0.0.1:${PORT}`;
  const answers = () =>
    fetch(`${url}${options.readyPath}`).then(
      ({ status }) => status < 500,
      () => false,
    );
  try {
    await until(`${file} is ready`, async () => !program.running || (await answers()), 60);
    if (!program.running)
      throw new Error(`${file} ended while it started. Its last lines:\n${lastLines(program)}`);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return Object.assign(program, { url });
}

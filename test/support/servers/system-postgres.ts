import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { type Account, databaseAccount, handOver } from '../../../scripts/postgres/account.ts';
import { terminate } from '../../../scripts/postgres/server.ts';
import { freePort } from '../../../scripts/support/loopback.ts';
import { processStartTime } from '../../../src/platform/processes/processes.ts';
import { eventually } from '../eventually.ts';

const DEBIAN = '/usr/lib/postgresql';
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'];

/** The folder of PostgreSQL's own programs, where Debian's package `postgresql` is installed; the package from npm has no pg_dump. */
export const POSTGRES_PROGRAMS: string | null =
  (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program)))) ?? null;

/** A server of the system's PostgreSQL on loopback, which needs no password. */
export interface SystemServer {
  readonly port: number;
  /** Address of one of its databases. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** Runs one of these programs. @param account null: the account of this process */
export function runProgram(name: string, args: readonly string[], account: Account | null = null): string {
  const { command, given, ids } = asAccount(account, [join(POSTGRES_PROGRAMS!, name), ...args]);
  return execFileSync(command, given, {
    ...ids,
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The account that runs servers below this folder. */
export function serverAccount(folder: string): Promise<Account | null> {
  return databaseAccount([join(POSTGRES_PROGRAMS!, 'postgres'), folder]);
}

/** Makes an empty server in `folder`, which must not exist. */
export async function initSystemServer(folder: string): Promise<void> {
  const account = await serverAccount(folder);
  await handOver(dirname(folder), account);
  chmodSync(dirname(folder), 0o755);
  const args = [`--pgdata=${folder}`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  runProgram('initdb', [...args, '--locale=C.UTF-8'], account);
}

/** @param settings of postgresql.conf */
export async function startSystemServer(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<SystemServer> {
  const port = await freePort();
  const given = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    ...settings,
  };
  const options = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = [join(POSTGRES_PROGRAMS!, 'postgres'), '-D', folder, ...options];
  const { command, given: args, ids } = asAccount(await serverAccount(folder), program);
  const child = spawn(command, args, { ...ids, cwd: '/', stdio: 'ignore' });
  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  const startTime = processStartTime(child.pid!)!;
  await eventually('the server answers and takes writes', async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL in ${folder} ended with ${child.exitCode}`);
    return isPrimary(url('postgres'));
  });
  return { port, url, stop: () => terminate({ pid: child.pid!, startTime }) };
}

/** Whether it answers and has ended its recovery. */
async function isPrimary(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS recovers');
    return !rows[0].recovers;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function asAccount(account: Account | null, program: readonly string[]) {
  const [command, ...given] = [...(account?.prefix ?? []), ...program];
  const ids = account && account.prefix.length === 0 ? { uid: account.uid, gid: account.gid } : {};
  return { command: command!, given, ids };
}

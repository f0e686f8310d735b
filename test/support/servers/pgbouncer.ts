import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/support/loopback.ts';
import { eventually } from '../eventually.ts';
import { isInstalled } from '../installed.ts';

/** `apt-get install pgbouncer` */
export const hasPgbouncer = isInstalled('pgbouncer', '--version');

export interface Pooler {
  /** The database, reached through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/** A pgbouncer in transaction mode with its default settings: of start-up parameters it knows only its own few. */
export async function startPgbouncer(databaseUrl: string): Promise<Pooler> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const database = pathname.slice(1);
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  // As root it refuses to run, and whoever it runs as has to read its configuration.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chmod(folder, 0o755);
  const listenPort = await freePort();
  const login = `user=${username} password=${decodeURIComponent(password)}`;
  const settings = [
    ...['[databases]', `${database} = host=${hostname} port=${port} dbname=${database} ${login}`],
    ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${listenPort}`, 'unix_socket_dir ='],
    ...['auth_type = any', 'pool_mode = transaction', 'default_pool_size = 5'],
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  const child = spawn('pgbouncer', ['-q', file], {
    stdio: 'ignore',
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await eventually('pgbouncer listens', () => isListening(listenPort));
  const url = Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${listenPort}` }).href;
  return {
    url,
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

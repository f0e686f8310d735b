import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/support/loopback.ts';
import { eventually } from '../eventually.ts';
import { isInstalled } from '../installed.ts';

/** `apt-get install nginx` */
export const hasNginx = isInstalled('nginx', '-v');

export interface Nginx {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * An nginx with a folder of its own, on loopback alone.
 * @param http what is in `http { … }` of its configuration, for a port and the folder
 * @throws Error with what nginx says about a wrong configuration
 */
export async function startNginx(http: (port: number, folder: string) => string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
  await mkdir(join(folder, 'temp'));
  for (;;) {
    const port = await freePort();
    await writeFile(join(folder, 'nginx.conf'), settings(http(port, folder)));
    const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString();
    });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    await eventually('nginx listens', async () => child.exitCode !== null || (await isListening(port)));
    if (child.exitCode === null) return { port, stop: () => stop(child, { ended, folder }) };
    if (!said.includes('Address already in use')) throw new Error(`nginx does not start: ${said}`);
  }
}

async function stop(
  child: ChildProcess,
  { ended, folder }: { ended: Promise<void>; folder: string },
): Promise<void> {
  child.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const settings = (http: string): string =>
  [
    // The processes that answer must reach the folder.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    ...['daemon off;', 'worker_processes 1;', 'pid nginx.pid;', 'events {}', 'http {', 'access_log off;'],
    ...TEMPORARY.map((name) => `${name}_temp_path temp/${name};`),
    ...[http, '}'],
  ].join('\n');

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

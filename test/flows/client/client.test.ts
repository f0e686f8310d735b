import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Api, ApiFailure, answerOf, createApi, dataOf } from '../../../src/client/client.ts';
import { type RunningServer, startServer } from '../../../src/http/server/server.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type TestApi, testApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';
import { startTestWorker, type TestWorker } from '../../support/worker.ts';

const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const loader = (name: string) => (name.endsWith('.ts') ? ['--import', 'tsx'] : []);

let api: TestApi;
let server: RunningServer;
let worker: TestWorker;
let key: string;
let shop: Api;

beforeAll(async () => {
  api = await testApi({}, systemClock);
  const { context, imagesDir } = api;
  server = await startServer(api.app, { host: '127.0.0.1', port: 0, shutdownSeconds: 1 });
  const url = context.config.databaseUrl!;
  const database = { db: context.db, url, imagesDir, drop: async () => undefined };
  worker = await startTestWorker(database);
  ({ key } = await api.user());
  shop = createApi({ url: `${server.url}/`, apiKey: key });
});
afterAll(async () => {
  await worker?.stop();
  await server?.stop();
  await api?.drop();
});

test('a shop connects a camera with the client, reads its first metrics and stops the analysis', async () => {
  const device = await dataOf(
    shop.POST('/devices', { body: { name: 'Till 3', streamUrl: 'sim:shop?seed=1&start=120' } }),
  );
  const scene = await dataOf(
    shop.POST('/scenes', {
      body: { deviceId: device.id, name: 'Queue', analysisType: 'queue_analysis', config: {} },
    }),
  );
  const place = { params: { path: { id: device.id } } };
  const started = await dataOf(
    shop.POST('/devices/{id}/analysis/start', { ...place, body: { sceneId: scene.id } }),
  );
  expect(started).toMatchObject({ sceneId: scene.id, status: 'initializing' });

  const metrics = await eventually('the first metrics are there', async () => {
    const { latestMetrics } = await dataOf(shop.GET('/scenes/{id}', { params: { path: { id: scene.id } } }));
    return latestMetrics?.current;
  });
  expect(metrics.inQueue).toEqual(expect.any(Number));

  const listed = await answerOf(shop.GET('/scenes', { params: { query: { deviceId: device.id } } }));
  expect(listed.data.map(({ id, name }) => [id, name])).toEqual([[scene.id, 'Queue']]);
  expect(listed.meta.pagination.totalRecords).toBe(1);

  const stopped = await dataOf(shop.POST('/devices/{id}/analysis/stop', { ...place, body: {} }));
  expect(stopped.analysisId).toBe(started.analysisId);
  const erased = await shop.DELETE('/devices/{id}', place);
  expect([erased.response.status, erased.data, erased.error]).toEqual([204, undefined, undefined]);
});

test('the examples connect a camera and print its queue, and write visits into a file for a spreadsheet', async () => {
  const integrator = await api.user();
  const env = { ...process.env, API_URL: server.url, API_KEY: integrator.key };
  const example = (name: string, ...rest: string[]) =>
    run(process.execPath, [...loader(name), join(ROOT, 'scripts/examples', name), ...rest], { env });
  const { stdout } = await example('queue-length.ts', 'sim:shop?seed=1&start=120', '2');
  expect(stdout).toMatch(/^(\d+ people wait, the longest for \d+ s\n){2}$/);
  if (IS_THOROUGH) await expect(example('queue-length.ts')).rejects.toThrow(/give the address of a camera/);

  const [scene] = await api.context.db.scene.findMany({ where: { userId: integrator.userId } });
  const task = await api.context.db.analysisTask.findFirstOrThrow({ where: { sceneId: scene!.id } });
  const at = new Date('2026-11-02T09:00:00.000Z');
  await api.context.db.visit.create({
    data: {
      ...{
        taskId: task.id,
        sceneId: scene!.id,
        number: 9_999,
        trackId: 1,
        state: 'closed',
        outcome: 'completed',
      },
      ...{ queueEnteredAt: at, arrivalDecidedAt: at, outcomeDecidedAt: at },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'examples-'));
  try {
    const file = join(folder, 'visits.csv');
    await example('visits-to-csv.mjs', '2026-11-02', '2026-11-03', file);
    const [head, line] = (await readFile(file, 'utf8')).split('\r\n');
    expect(head).toMatch(/^\uFEFFid,sceneId,sceneName,/);
    expect(line).toContain(`"${scene!.id}","Queue",`);
    if (IS_THOROUGH) {
      const wrong = example('visits-to-csv.mjs', '2026-11-03', '2026-11-02', file);
      await expect(wrong).rejects.toThrow(/The service answered 400/);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an error of the API is thrown with its code, its faults and the id of the request', async () => {
  const failure = await dataOf(shop.POST('/devices', { body: { name: '', streamUrl: 'sim:shop' } })).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ApiFailure);
  expect(failure).toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    details: [{ path: 'name', message: expect.any(String) }],
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    retryAfterSeconds: null,
  });
  const stranger = createApi({ url: server.url });
  await expect(dataOf(stranger.GET('/devices'))).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
});

test('an answer of a proxy that is not JSON is an error with its status', async () => {
  const behindProxy = createApi({
    url: server.url,
    fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Retry-After': '7' } }),
  });
  await expect(dataOf(behindProxy.GET('/devices'))).rejects.toMatchObject({
    message: 'The service answered with status 502',
    code: 'HTTP_502',
    details: [],
    retryAfterSeconds: 7,
  });
});

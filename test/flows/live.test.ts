import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createApp } from '../../src/app.ts';
import { createDb } from '../../src/platform/database/db.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, TestClock, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { runFfmpeg } from '../support/ffmpeg.ts';
import { testShared } from '../support/shared.ts';
import { type LiveStream, openLive } from '../support/streams/live-stream.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

const clock = new TestClock();
let api: TestApi;
let user: ApiUser;
let startWorker: () => Promise<TestWorker>;
const workers: TestWorker[] = [];
/** Two API processes: nothing but the database is shared. */
let servers: Server[];
let shop: { deviceId: string; sceneId: string };
let other: { deviceId: string; sceneId: string };

beforeAll(async () => {
  api = await testApi({}, clock);
  user = await api.user();
  const { context } = api;
  const database = {
    db: context.db,
    url: context.config.databaseUrl!,
    imagesDir: api.imagesDir,
    drop: async () => undefined,
  };
  startWorker = async () => {
    const worker = await startTestWorker(database, { maxLiveCameras: 1 });
    workers.push(worker);
    return worker;
  };
  await startWorker();
  const processes = [1, 2].map(() => ({
    ...context,
    db: createDb(context.config.databaseUrl!),
    shared: testShared(context.config),
  }));
  servers = processes.map((each) => createServer(createApp(each, { heartbeatMs: 200 })));
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  [shop, other] = [await shopOf(user), await shopOf(user)];
  for (const { deviceId, sceneId } of [shop, other]) {
    const started = await user.post(`/devices/${deviceId}/analysis/start`, { sceneId });
    expect(started.status).toBe(202);
  }
  await eventually('both are analysed', async () => (await lastFrameMs(shop)) && (await lastFrameMs(other)));
});
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await Promise.all(workers.map((worker) => worker.stop()));
  await api.drop();
});

const urlOf = ({ deviceId }: { deviceId: string }, query = '', server = 0) =>
  `http://127.0.0.1:${(servers[server]!.address() as AddressInfo).port}/api/v1/devices/${deviceId}/live${query}`;
const open = (
  camera: { deviceId: string },
  { query = '', server = 0, key = user.key } = {},
): Promise<LiveStream> => openLive(urlOf(camera, query, server), { authorization: `Bearer ${key}` });
async function lastFrameMs({ deviceId }: { deviceId: string }): Promise<number> {
  const run = await api.context.db.analysisTask.findFirst({ where: { deviceId } });
  return run?.lastFrameAt?.getTime() ?? 0;
}
const newestPictureMs = async ({ deviceId }: { deviceId: string }) =>
  (await api.context.db.livePicture.findFirst({ where: { deviceId, part: 0 } }))?.capturedAt.getTime() ?? 0;

describe('live pictures', () => {
  test('while nobody watches, frames are analysed and no picture is made', async () => {
    const before = await lastFrameMs(shop);
    await eventually('it is analysed', async () => (await lastFrameMs(shop)) > before);
    expect([await api.context.db.livePicture.count(), await api.context.db.liveWish.count()]).toEqual([0, 0]);
  });

  test('reach watchers on every API process, each with the people of its frame, until nobody watches', async () => {
    const streams = [await open(shop, { query: '?width=300' }), await open(shop, { server: 1 })];
    for (const stream of streams) {
      await stream.until(5);
      const times = stream.parts.map(({ capturedAtMs }) => capturedAtMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      for (const { headers, tracks } of stream.parts) {
        expect(headers).toMatchObject({ 'Content-Type': 'image/jpeg', 'X-Live': 'frames' });
        expect(Object.keys(tracks)).toEqual([shop.sceneId]);
      }
    }
    // All watchers get the largest size that one of them asks for.
    const { format, width } = await sharp(streams[0]!.parts.at(-1)!.body).metadata();
    expect([format, width]).toEqual(['jpeg', 640]);
    const withPeople = await eventually('somebody is in the picture', () =>
      streams[1]!.parts.find(({ tracks }) => tracks[shop.sceneId]!.length > 0),
    );
    const [id, zone, ...box] = withPeople.tracks[shop.sceneId]![0]!;
    expect([typeof id, zone === null || typeof zone === 'string', box.length]).toEqual(['number', true, 4]);
    for (const coordinate of box) expect(coordinate).toEqual(Number(coordinate.toFixed(3)));

    for (const stream of streams) stream.close();
    await eventually('nobody wants them', async () => (await api.context.db.liveWish.count()) === 0);
    await eventually(
      'frames are analysed without pictures',
      async () => (await lastFrameMs(shop)) > (await newestPictureMs(shop)) + 1_500,
    );
  });

  test('of a camera above the limit of its node are stills', async () => {
    const live = await open(shop);
    await live.until(1);
    const stills = await open(other);
    const still = await stills.until(1);
    expect([live.parts.at(-1)!.headers['X-Live'], still.headers['X-Live']]).toEqual(['frames', 'stills']);
    const before = live.parts.length;
    await live.until(before + 5);
    // The heartbeat repeats a picture.
    const different = new Set(stills.parts.map(({ capturedAtMs }) => capturedAtMs));
    expect(different.size).toBeLessThanOrEqual(2);
    for (const stream of [live, stills]) stream.close();
  });

  test('are read by ffmpeg', async () => {
    const headers = `Authorization: Bearer ${user.key}\r\n`;
    await runFfmpeg(
      '-headers',
      headers,
      '-f',
      'mpjpeg',
      '-i',
      urlOf(shop),
      '-frames:v',
      '3',
      '-f',
      'null',
      '-',
    );
  });

  test('end when the key is revoked; those of another key go on', async () => {
    const made = await user.post('/api-keys', { name: 'screen', scopes: ['device:read'] });
    const { id, key } = made.body.data as { id: string; key: string };
    const [revoked, kept] = [await open(shop, { key }), await open(shop)];
    await revoked.until(1);
    await user.delete(`/api-keys/${id}`);
    // A key is known for ten seconds.
    clock.forward(11);
    await revoked.ended;
    await kept.until(kept.parts.length + 2);
    kept.close();
  });

  test('beside an image of the wanted width with the time of its frame', async () => {
    const image = await user.get(`/devices/${shop.deviceId}/frame?width=320`);
    const { width } = await sharp(image.body).metadata();
    expect([image.status, width]).toEqual([200, 320]);
    const capturedAt = image.headers['x-captured-at']!;
    expect(new Date(capturedAt).toISOString()).toBe(capturedAt);
    expect(Math.abs(Date.parse(capturedAt) - (await lastFrameMs(shop)))).toBeLessThan(10_000);
    const whole = await user.get(`/devices/${shop.deviceId}/frame?width=1920`);
    expect((await sharp(whole.body).metadata()).width).toBe(960);
  });

  test.each([
    ['/live?fps=0', 'fps'],
    ['/live?fps=16', 'fps'],
    ['/live?fps=x', 'fps'],
    ['/live?width=1000000', 'width'],
    ['/live?width=63', 'width'],
    ['/live?size=3', 'size'],
    ['/frame?width=0', 'width'],
    ['/frame?width=1921', 'width'],
  ])('%s is a fault of the request', async (path, field) => {
    const answer = await user.get(`/devices/${shop.deviceId}${path}`);
    expect([...codeOf(answer), answer.body.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  test('of a foreign or unknown device are not found, and without the scope are refused', async () => {
    const somebody = await api.user();
    expect(codeOf(await somebody.get(`/devices/${shop.deviceId}/live`))).toEqual([404, 'NOT_FOUND']);
    const nobody = '/devices/11111111-1111-1111-1111-111111111111/live';
    expect(codeOf(await user.get(nobody))).toEqual([404, 'NOT_FOUND']);
    const scenes = await api.user(['scene:read']);
    expect(codeOf(await scenes.get(`/devices/${shop.deviceId}/live`))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test('go on when the run moves to another node', async () => {
    const stream = await open(shop);
    await stream.until(1);
    const [first] = workers.splice(0);
    await startWorker();
    await first!.stop();
    const movedAtMs = await eventually('another node analyses it', async () => {
      const run = await api.context.db.analysisTask.findFirstOrThrow({ where: { deviceId: shop.deviceId } });
      return run.epoch > 1 && run.lastFrameAt?.getTime();
    });
    await eventually('its pictures come', () => stream.parts.at(-1)!.capturedAtMs > movedAtMs);
    stream.close();
  });

  test('end when the analysis is stopped, and are then refused with what to do', async () => {
    const stream = await open(shop);
    await stream.until(1);
    await user.post(`/devices/${shop.deviceId}/analysis/stop`, {});
    await stream.ended;
    const refused = await user.get(`/devices/${shop.deviceId}/live`);
    expect(codeOf(refused)).toEqual([409, 'NOT_RUNNING']);
    expect(refused.body.message).toContain('start one');
  });
});

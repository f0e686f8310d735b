import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createApp } from '../../src/app.ts';
import { settleOldChecks } from '../../src/cameras/scenes/checks/run-check.ts';
import { takeStills } from '../../src/cameras/scenes/checks/take-stills.job.ts';
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
async function fetchAs(key: string, path: string, body: object): Promise<number> {
  const { port } = servers[0]!.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.status;
}
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

  test('become the stills of a check, with the counts of their very frames, which nobody sees before the end', async () => {
    const { db } = api.context;
    const started = await user.post(`/scenes/${shop.sceneId}/checks`, { stills: 20, hours: 1 });
    expect([started.status, started.body.data]).toMatchObject([
      201,
      { status: 'collecting', takenStills: 0 },
    ]);
    const { id } = started.body.data as { id: string };
    // Its moments are random; of these none is due at the moment to which the clock goes below.
    await db.sceneCheck.update({ where: { id }, data: { seed: 1 } });
    const again = await user.post(`/scenes/${shop.sceneId}/checks`, {});
    expect(codeOf(again)).toEqual([409, 'LIMIT_REACHED']);
    for (let look = 0; look < 4; look++) {
      const { nextAt, slot } = await db.sceneCheck.findUniqueOrThrow({ where: { id } });
      expect(slot).toBe(look);
      clock.time = nextAt!;
      expect(await takeStills(api.context)).toEqual({ done: 1, failed: 0 });
    }
    // Nobody looked at the scene for ten minutes: these moments are lost, and no later picture stands for them.
    clock.forward(600);
    await takeStills(api.context);
    const { slot, missed } = await db.sceneCheck.findUniqueOrThrow({ where: { id } });
    expect([slot > 10, missed]).toEqual([true, slot - 4]);
    const before = await user.get(`/checks/${id}`);
    expect(before.body.data).toMatchObject({ status: 'collecting', takenStills: 2, stills: [] });

    const stopped = await user.post(`/checks/${id}/stop`);
    expect(stopped.body.data).toMatchObject({ status: 'open', endReason: 'stopped' });
    expect((await user.post(`/checks/${id}/stop`)).body.data).toEqual(stopped.body.data);
    const opened = await user.get(`/checks/${id}`);
    const [first, second] = opened.body.data.stills as { id: string }[];
    expect(first).toMatchObject({ hasPicture: true, mine: null, ours: null, answers: [] });
    const image = await user.get(`/check-stills/${first!.id}/picture`);
    expect((await sharp(image.body).metadata()).width).toBe(960);

    const rows = await db.checkStill.findMany({ where: { checkId: id }, orderBy: { stratum: 'asc' } });
    const [exact, other] = rows;
    // Moments of change count half, all looks of a part together count its looks.
    expect(rows.every(({ weight }) => weight >= 1 && weight <= 5)).toBe(true);
    const answer = (still: { id: string } | undefined, body: object, by = user) =>
      by.put(`/check-stills/${still!.id}/answer`, body);
    expect((await answer(first, { waiting: 7, served: [] })).status).toBe(204);
    expect((await answer(first, { waiting: exact!.waiting, served: 0 })).status).toBe(204);
    const points = Array.from({ length: other!.waiting + 2 }, (_, n) => [n / 100, 0.5]);
    expect((await answer(second, { waiting: points, served: 0 })).status).toBe(204);
    for (const body of [
      {},
      { waiting: 201, served: 0 },
      { waiting: [[2, 0]], served: 0 },
      { skipped: false },
    ])
      expect(codeOf(await answer(first, body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await answer(first, { skipped: true }, await api.user()))).toEqual([404, 'NOT_FOUND']);
    // A second checker of the same account.
    const made = await user.post('/api-keys', {
      name: 'second',
      scopes: ['analysis:control', 'device:read'],
    });
    const counted = await fetchAs(made.body.data.key, `/check-stills/${first!.id}/answer`, {
      waiting: exact!.waiting + 1,
      served: 0,
    });
    expect(counted).toBe(204);

    const finished = await user.post(`/checks/${id}/finish`, { checkedBy: 'Ada' });
    expect(finished.body.data).toMatchObject({ status: 'finished', checkedBy: 'Ada', outdated: null });
    const { waiting, served, agreement } = finished.body.data.result;
    expect([waiting.stills, waiting.mostTheirs, served]).toEqual([
      2,
      Math.max(other!.waiting + 2, exact!.waiting + 1),
      null,
    ]);
    expect(agreement).toEqual({ stills: 1, exactPercent: 0, withinOnePercent: 100 });
    // Both are wrong for somebody, so that both pictures stay; points are told only now.
    const shown = (await user.get(`/checks/${id}`)).body.data.stills;
    expect(shown[1]).toMatchObject({ hasPicture: true, ours: { waiting: other!.waiting } });
    expect(shown[1].answers[0].waitingPoints).toHaveLength(other!.waiting + 2);
    expect(codeOf(await answer(first, { skipped: true }))).toEqual([404, 'NOT_FOUND']);
    const log = await db.auditEntry.findMany({ where: { userId: user.userId } });
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['check_finished', 'pictures_viewed']),
    );

    clock.forward(31 * 86_400);
    await settleOldChecks(api.context);
    const left = (await user.get(`/checks/${id}`)).body.data;
    expect(left.stills[1]).toMatchObject({ hasPicture: false, ours: { people: [] } });
    expect(left.stills[1].answers[0]).toMatchObject({ waiting: other!.waiting + 2, waitingPoints: null });
    expect(left.result).toEqual(finished.body.data.result);
    expect((await user.get(`/scenes/${shop.sceneId}/checks`)).body.data).toHaveLength(1);
    expect((await user.delete(`/checks/${id}`)).status).toBe(204);
    expect(await db.checkStill.count({ where: { checkId: id } })).toBe(0);
    clock.time = new Date();
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

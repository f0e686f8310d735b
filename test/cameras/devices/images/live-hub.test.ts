import { setMaxListeners } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { liveHub } from '../../../../src/cameras/devices/images/live-hub.ts';
import { storePicture } from '../../../../src/cameras/devices/images/live-picture.store.ts';
import { watchDevice } from '../../../../src/cameras/devices/images/watch-device.ts';
import type { Part } from '../../../../src/http/part.ts';
import { type TestApi, testApi } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { addDevice, queueScene } from '../../../support/rows/runs.ts';

let api: TestApi;
let userId: string;
let deviceId: string;
let ended: AbortController;
beforeAll(async () => {
  api = await testApi({ MAX_LIVE_WATCHERS: '1000', MAX_LIVE_WATCHERS_PER_USER: '125' });
});
afterAll(() => api.drop());
beforeEach(async () => {
  const device = await addDevice(api.context.db);
  await queueScene(api.context.db, device);
  deviceId = device.id;
  userId = device.userId;
  ended = new AbortController();
  setMaxListeners(0, ended.signal);
});

// A watcher that a failed test leaves behind would keep this process alive.
afterEach(() => ended.abort());

const store = (capturedAtMs: number) =>
  storePicture(api.context.db, deviceId, {
    ...{ capturedAtMs, isStill: false, tracks: '{}', jpeg: Buffer.alloc(20_000, 1), privacyRevision: 1 },
  });
const watch = (who = userId, signal = ended.signal) =>
  liveHub(api.context).watch(api.context.db, { userId: who, deviceId, width: 640, fps: 5 }, signal);
const wishes = () => api.context.db.liveWish.findMany({ where: { deviceId } });

describe('the hub of live pictures', () => {
  test('one thousand watchers of one camera get one shared buffer; one more is refused; the last one ends the wish', async () => {
    const users = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const watchers = await Promise.all(
      Array.from({ length: 1_000 }, (_, number) => watch(users[number % users.length])),
    );
    expect(await wishes()).toHaveLength(1);
    await expect(watch('i')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('MAX_LIVE_WATCHERS'),
      retryAfterSeconds: 30,
    });
    const pictures = Promise.all(watchers.map((watcher) => watcher.next()));
    await store(1_000);
    const buffers = new Set((await pictures).map((picture) => picture!.part.bytes));
    expect(buffers.size).toBe(1);
    ended.abort();
    await eventually('nobody wants pictures', async () => (await wishes()).length === 0);
    expect(await Promise.all(watchers.map((watcher) => watcher.next()))).toEqual(watchers.map(() => null));
  });

  test('a user may watch MAX_LIVE_WATCHERS_PER_USER times; closing one allows another', async () => {
    const first = new AbortController();
    await watch(userId, first.signal);
    await Promise.all(Array.from({ length: 124 }, () => watch()));
    await expect(watch()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'You watch live pictures 125 times (MAX_LIVE_WATCHERS_PER_USER): close one first',
    });
    await expect(watch('another')).resolves.toBeDefined();
    first.abort();
    await expect(watch()).resolves.toBeDefined();
  });

  test('a watcher that asks for more changes the wish', async () => {
    const { db } = api.context;
    await watch();
    const wanted = { userId, deviceId };
    await liveHub(api.context).watch(db, { ...wanted, width: 320, fps: 15 }, ended.signal);
    expect(await wishes()).toMatchObject([{ width: 640, fps: 15 }]);
  });

  test('statements about wishes run one after the other, so that the newest wish is the one that stays', async () => {
    const { db } = api.context;
    let running = 0;
    let atOnce = 0;
    const watched = new Proxy(db, {
      get: (target, name) => {
        if (name !== '$queryRaw') return Reflect.get(target, name);
        return async (...sql: Parameters<typeof db.$queryRaw>) => {
          running += 1;
          atOnce = Math.max(atOnce, running);
          return await db.$queryRaw(...sql).finally(() => {
            running -= 1;
          });
        };
      },
    });
    const hub = liveHub(api.context);
    const wanted = { userId, deviceId, width: 640 };
    const first = new AbortController();
    await Promise.all([5, 10].map((fps) => hub.watch(watched, { ...wanted, fps }, first.signal)));
    first.abort();
    await hub.watch(watched, { ...wanted, fps: 15 }, ended.signal);
    expect(await wishes()).toMatchObject([{ width: 640, fps: 15 }]);
    expect(atOnce).toBe(1);
  });

  test('a client that has left already is counted for no limit', async () => {
    ended.abort();
    await Promise.all(Array.from({ length: 126 }, () => expect(watch()).rejects.toThrow('aborted')));
    const present = new AbortController();
    await expect(watch(userId, present.signal)).resolves.toBeDefined();
    present.abort();
  });

  test('a device without a running analysis is refused, and counts for no limit', async () => {
    const { db } = api.context;
    const idle = await addDevice(db);
    const wanted = { userId: idle.userId, deviceId: idle.id, width: 640, fps: 5 };
    const refused = await Promise.allSettled(
      Array.from({ length: 126 }, () => liveHub(api.context).watch(db, wanted, ended.signal)),
    );
    const codes = refused.map(
      (result) => result.status === 'rejected' && (result.reason as { code: string }).code,
    );
    expect(new Set(codes)).toEqual(new Set(['NOT_RUNNING', 'RATE_LIMITED']));
    expect(await db.liveWish.count({ where: { deviceId: idle.id } })).toBe(0);
    await expect(watch()).resolves.toBeDefined();
  });

  test('an answer without pictures is 503 with the fault of the camera', async () => {
    const { db } = api.context;
    const fault = {
      reason: 'blank_picture',
      message: 'The lens is covered.',
      since: new Date().toISOString(),
    };
    await db.device.update({ where: { id: deviceId }, data: { fault } });
    const wanted = { userId, deviceId, width: 640, fps: 5 };
    await expect(
      watchDevice(api.context, wanted, { signal: ended.signal, firstPictureMs: 50 }),
    ).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'No picture came within 0.05 seconds. The lens is covered. Try again',
    });
    await eventually('nobody wants pictures', async () => (await wishes()).length === 0);
  });

  test('an answer ends when its run is stopped, without a notification too', async () => {
    const { db } = api.context;
    const wanted = { userId, deviceId, width: 640, fps: 5 };
    const opening = watchDevice(api.context, wanted, { signal: ended.signal, firstPictureMs: 200_000 });
    await eventually('it is wanted', async () => (await wishes()).length === 1);
    await store(2_000);
    const parts = await opening;
    const got: Part[] = [];
    const reading = (async () => {
      for await (const part of parts) got.push(part);
    })();
    await db.analysisTask.updateMany({ where: { deviceId }, data: { deletedAt: new Date() } });
    await reading;
    expect(got).toHaveLength(1);
  });
});

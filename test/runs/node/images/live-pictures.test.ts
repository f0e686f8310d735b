import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  findPicture,
  removeWish,
  renewWishes,
} from '../../../../src/cameras/devices/images/live-picture.store.ts';
import type { LiveRequest } from '../../../../src/lanes/lane-protocol.ts';
import { loadConfig } from '../../../../src/platform/config.ts';
import { createLogger } from '../../../../src/platform/logger.ts';
import { LivePictures } from '../../../../src/runs/node/images/live-pictures.ts';
import { type TestDatabase, testDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { addDevice, queueScene } from '../../../support/rows/runs.ts';

const PROCESS = randomUUID();
let database: TestDatabase;
let devices: string[];
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  devices = [];
  for (let number = 0; number < 3; number++) {
    const device = await addDevice(database.db);
    await queueScene(database.db, device);
    devices.push(device.id);
  }
});

/** The live pictures of a node that streams `devices` and sends those of two. */
function node(db = database.db) {
  const asked: [deviceId: string, fps: number][] = [];
  const state = { nowMs: 0, streamed: new Set(devices) };
  const pictures = new LivePictures({
    context: {
      config: { ...loadConfig({}), maxLiveCameras: 2 },
      db,
      logger: createLogger({ level: 'silent', program: 'test' }),
    },
    lanes: { watch: (deviceId: string, { fps }: LiveRequest) => void asked.push([deviceId, fps]) },
    isStreamed: (deviceId) => state.streamed.has(deviceId),
    now: () => state.nowMs,
  });
  return { pictures, asked, state };
}
const wish = (deviceId: string, fps = 5) =>
  renewWishes(database.db, PROCESS, [{ deviceId, width: 640, fps }]);
const unwish = (deviceId: string) => removeWish(database.db, PROCESS, deviceId);
const pictureOf = (deviceId: string, capturedAtMs: number) => ({
  ...({ type: 'livePicture', deviceId, capturedAtMs, privacyRevision: 1, tracks: '{}' } as const),
  jpeg: new Uint8Array([1, 2, 3]),
});
const storedAt = async (deviceId: string) => (await findPicture(database.db, deviceId))?.capturedAtMs ?? null;

describe('the live pictures of a node', () => {
  test('only the first cameras get the wanted rate; a free place goes to the next one', async () => {
    const { pictures, asked } = node();
    const [a, b, c] = devices as [string, string, string];
    for (const deviceId of [a, b, c]) {
      await wish(deviceId);
      await pictures.wished(deviceId);
    }
    expect(asked.splice(0)).toEqual([
      [a, 5],
      [b, 5],
      [c, 0.2],
    ]);
    pictures.take(pictureOf(a, 1));
    pictures.take(pictureOf(c, 1));
    await eventually('both are stored', async () => (await storedAt(a)) && (await storedAt(c)));
    const isStill = async (deviceId: string) => (await findPicture(database.db, deviceId))!.isStill;
    expect([await isStill(a), await isStill(c)]).toEqual([false, true]);
    await unwish(a);
    for (const deviceId of [a, c]) await pictures.wished(deviceId);
    expect(asked).toEqual([
      [a, 0],
      [c, 5],
    ]);
  });

  test('a wish that is not renewed ends by itself', async () => {
    const { pictures, asked, state } = node();
    const [a, b, c] = devices as [string, string, string];
    for (const deviceId of [a, b]) {
      await wish(deviceId);
      await pictures.wished(deviceId);
    }
    state.nowMs = 13_000;
    await wish(c);
    await pictures.wished(c);
    expect(asked.at(-1)).toEqual([c, 5]);
  });

  test('an answer that comes late does not replace a newer one', async () => {
    const [a] = devices as [string];
    await wish(a);
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reads = 0;
    // The first answer is read at once and comes late.
    const late = new Proxy(database.db, {
      get: (db, name) => {
        if (name !== '$queryRaw') return Reflect.get(db, name);
        return async (...sql: Parameters<typeof db.$queryRaw>) => {
          const isFirst = reads === 0;
          const rows = await db.$queryRaw(...sql);
          reads += 1;
          if (isFirst) await isReleased;
          return rows;
        };
      },
    });
    const { pictures, asked } = node(late);
    const first = pictures.wished(a);
    await eventually('the wish is read', () => reads === 1);
    await unwish(a);
    const second = pictures.wished(a);
    // Time in which a second read would have its answer.
    for (let query = 0; query < 5; query++) await storedAt(a);
    release();
    await Promise.all([first, second]);
    expect(asked).toEqual([
      [a, 5],
      [a, 0],
    ]);
  });

  test('a device that it does not stream, or that nobody watches, gets neither question nor picture', async () => {
    const { pictures, asked, state } = node();
    const [a, b, c] = devices as [string, string, string];
    await wish(a);
    state.streamed.delete(a);
    await pictures.wished(a);
    await pictures.wished(b);
    expect(asked).toEqual([]);
    await wish(c);
    await pictures.wished(c);
    for (const deviceId of [a, b, c]) pictures.take(pictureOf(deviceId, 1));
    await eventually('the watched one is stored', () => storedAt(c));
    expect([await storedAt(a), await storedAt(b)]).toEqual([null, null]);
  });

  test('of pictures that come while one is stored only the newest is stored', async () => {
    const { pictures } = node();
    const [a] = devices as [string];
    await wish(a);
    await pictures.wished(a);
    for (let ms = 1; ms <= 50; ms++) pictures.take(pictureOf(a, ms));
    await eventually('the newest is stored', async () => (await storedAt(a)) === 50);
    pictures.take(pictureOf(a, 51));
    await eventually('the next one is stored', async () => (await storedAt(a)) === 51);
  });
});

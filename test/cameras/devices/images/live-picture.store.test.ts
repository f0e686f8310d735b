import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  findPicture,
  findWish,
  removeOldPictures,
  removeWish,
  renewWishes,
  storePicture,
} from '../../../../src/cameras/devices/images/live-picture.store.ts';
import { type TestDatabase, testDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { addDevice, queueScene } from '../../../support/rows/runs.ts';

let database: TestDatabase;
let deviceId: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const device = await addDevice(database.db);
  await queueScene(database.db, device);
  deviceId = device.id;
});

const picture = (bytes: number, capturedAtMs: number, more = {}) => ({
  ...{ capturedAtMs, tracks: '{"a":[]}', isStill: false, jpeg: new Uint8Array(randomBytes(bytes)) },
  staff: '{"a":[[1,"staff_zone",0,0,0.1,0.5]]}' as string | null,
  ...{ counts: null, privacyRevision: 1 },
  ...more,
});

describe('the live picture of a device', () => {
  test.each([1, 1_899, 1_900, 1_901, 40_000])('of %i bytes is read as it was stored', async (bytes) => {
    const { db } = database;
    const stored = picture(bytes, Date.now(), { isStill: true });
    await storePicture(db, deviceId, stored);
    const found = await findPicture(db, deviceId);
    expect({ ...found, jpeg: Buffer.from(found!.jpeg).equals(stored.jpeg), privacyRevision: 1 }).toEqual({
      ...stored,
      jpeg: true,
    });
  });

  test.each([
    ['smaller', 30_000, 2_000],
    ['larger', 2_000, 30_000],
  ])(
    'with people for a check, %s, is read by that check alone, and goes with its wish',
    async (_, bytes, shownBytes) => {
      const { db } = database;
      const read = async (showsPeople: boolean) => (await findPicture(db, deviceId, showsPeople))?.jpeg;
      const [watcher, check] = [randomUUID(), randomUUID()];
      await renewWishes(db, watcher, [{ deviceId, width: 320, fps: 5 }]);
      expect(await findWish(db, deviceId)).toMatchObject({ showsPeople: false });
      await storePicture(db, deviceId, picture(bytes, 1_000));
      // Made before the check began: whom it hides stays hidden.
      expect(await read(true)).toBeUndefined();
      await renewWishes(db, check, [{ deviceId, width: 960, fps: 1, showsPeople: true }]);
      expect(await findWish(db, deviceId)).toMatchObject({ showsPeople: true, width: 960 });
      const shown = new Uint8Array(randomBytes(shownBytes));
      const stored = picture(bytes, 2_000, { shown });
      await storePicture(db, deviceId, stored);
      expect(Buffer.from((await read(true))!).equals(shown)).toBe(true);
      expect(Buffer.from((await read(false))!).equals(stored.jpeg)).toBe(true);
      // Nobody is hidden: it is not stored twice.
      const same = picture(bytes, 3_000, { shown: new Uint8Array() });
      await storePicture(db, deviceId, same);
      expect(Buffer.from((await read(true))!).equals(same.jpeg)).toBe(true);
      await removeWish(db, check, deviceId);
      await removeOldPictures({ db });
      expect(await db.livePicture.count({ where: { deviceId } })).toBe(0);
      const later = picture(bytes, 4_000);
      await storePicture(db, deviceId, later);
      await removeOldPictures({ db });
      expect(await read(false)).toHaveLength(bytes);
      await removeWish(db, watcher, deviceId);
    },
  );

  test('is replaced by a newer one, also by a smaller one, and not by an older one', async () => {
    const { db } = database;
    for (const [bytes, ms] of [
      [30_000, 1_000],
      [3_000, 2_000],
      [20_000, 1_500],
    ] as const)
      await storePicture(db, deviceId, picture(bytes, ms));
    const found = await findPicture(db, deviceId);
    expect([found!.capturedAtMs, found!.jpeg.length]).toEqual([2_000, 3_000]);
    expect(await findPicture(db, randomUUID())).toBeNull();
  });

  test('uses the room of former pictures again: without that, 100 pictures take 275 pages', async () => {
    const { db } = database;
    const pages = async () => {
      const [row] = await db.$queryRaw<{ pages: number }[]>`
        SELECT (pg_relation_size('"LivePicture"') / 8192)::int AS pages`;
      return row!.pages;
    };
    /** The room of a former picture is free as soon as every transaction of the server that was older has ended. */
    const olderTransactionsEnded = async () => {
      const [now] = await db.$queryRaw<
        { xid: string }[]
      >`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid`;
      await eventually('older transactions ended', async () => {
        const [oldest] = await db.$queryRaw<{ ended: boolean }[]>`
          SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${now!.xid}::xid8 AS ended`;
        return oldest!.ended;
      });
    };
    const store = async (from: number, count: number) => {
      for (let n = from; n < from + count; n++) {
        await storePicture(db, deviceId, picture(20_000, n));
        await olderTransactionsEnded();
      }
    };
    await store(1, 20);
    const before = await pages();
    await store(21, 100);
    expect(await pages()).toBeLessThan(before + 60);
  });

  test('is not written to the log of the database, and is gone with its user', async () => {
    const { db } = database;
    const tables = await db.$queryRaw<{ name: string; kind: string }[]>`
      SELECT relname AS name, relpersistence::text AS kind FROM pg_class
      WHERE relname IN ('LivePicture', 'LiveWish') ORDER BY 1`;
    expect(tables).toEqual([
      { name: 'LivePicture', kind: 'u' },
      { name: 'LiveWish', kind: 'u' },
    ]);
    await storePicture(db, deviceId, picture(5_000, 1));
    await renewWishes(db, randomUUID(), [{ deviceId, width: 320, fps: 1 }]);
    await db.user.deleteMany();
    expect([await db.livePicture.count(), await db.liveWish.count()]).toEqual([0, 0]);
  });
});

describe('wishes', () => {
  const [one, other] = [randomUUID(), randomUUID()];

  test('of several processes count together, until the last one removes its wish', async () => {
    const { db } = database;
    expect(await renewWishes(db, one, [{ deviceId, width: 960, fps: 2 }])).toEqual(new Set([deviceId]));
    await renewWishes(db, other, [{ deviceId, width: 320, fps: 15 }]);
    expect(await findWish(db, deviceId)).toMatchObject({ width: 960, fps: 15 });
    await renewWishes(db, one, [{ deviceId, width: 320, fps: 2 }]);
    expect(await findWish(db, deviceId)).toMatchObject({ width: 320, fps: 15 });
    await removeWish(db, other, deviceId);
    expect(await findWish(db, deviceId)).toMatchObject({ width: 320, fps: 2 });
    await removeWish(db, one, deviceId);
    expect(await findWish(db, deviceId)).toBeNull();
  });

  test('end by themselves; then the picture is removed', async () => {
    const { db } = database;
    await renewWishes(db, one, [{ deviceId, width: 320, fps: 2 }]);
    await storePicture(db, deviceId, picture(5_000, 1));
    await removeOldPictures({ db });
    expect(await findPicture(db, deviceId)).not.toBeNull();
    await db.$executeRaw`UPDATE "LiveWish" SET "wantedUntil" = clock_timestamp() - interval '1 ms'`;
    expect(await findWish(db, deviceId)).toBeNull();
    await db.$executeRaw`UPDATE "LiveWish" SET "wantedUntil" = clock_timestamp() - interval '1 minute'`;
    await removeOldPictures({ db });
    expect([await findPicture(db, deviceId), await db.liveWish.count()]).toEqual([null, 0]);
  });

  test('count only for devices that are analysed and not about to stop', async () => {
    const { db } = database;
    const idle = await addDevice(db);
    const wish = (id: string) => ({ deviceId: id, width: 320, fps: 2 });
    const wished = () => renewWishes(db, one, [wish(deviceId), wish(idle.id), wish(randomUUID())]);
    expect(await wished()).toEqual(new Set([deviceId]));
    await db.device.update({ where: { id: deviceId }, data: { deletedAt: new Date() } });
    expect(await wished()).toEqual(new Set());
  });
});

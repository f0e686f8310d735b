import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deleteUser } from '../../src/access/administer.ts';
import { eraseUser } from '../../src/access/user.store.ts';
import { checkImageStorage } from '../../src/images/check-storage.ts';
import { removeUnknownImages } from '../../src/images/sweep.job.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { claimRuns } from '../../src/runs/store/claim-runs.store.ts';
import { writeRuns } from '../../src/runs/store/write-runs.store.ts';
import { TestClock } from '../support/api.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addDevice, addNode, queueScene, writeOf } from '../support/rows/runs.ts';
import { fillTables, rowsSaying, tablesOf } from '../support/rows/user-tables.ts';
import { startS3 } from '../support/servers/s3.ts';

const ROOT = join(import.meta.dirname, '../..');
let database: TestDatabase;
let db: Db;
let images: LocalImages;
const clock = new TestClock();

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  images = new LocalImages(database.imagesDir);
  await checkImageStorage({ db, images });
});
afterAll(() => database.drop());

const addUser = async () => (await db.user.create({ data: { email: `${randomUUID()}@example.com` } })).id;
const picture = { kind: 'clean' as const, width: 1, height: 1, sizeBytes: 1, capturedAt: new Date() };
const logger = createLogger({ level: 'silent', program: 'test' });
const sweep = (store: LocalImages = images) => removeUnknownImages({ db, images: store, clock, logger });

/** Every file of the store, half-written ones too. */
async function files(): Promise<string[]> {
  const entries = await readdir(database.imagesDir, { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return found.map((path) => path.slice(database.imagesDir.length + 1)).filter((name) => name.includes('/'));
}

/** A writer of pictures that is killed after a few of them, before any row and perhaps inside a file. */
async function killedWriter(userId: string): Promise<void> {
  const program = ['--import', './.config/tree-loaders.mjs', 'test/support/picture-writer.ts'];
  const writer = spawn(process.execPath, program, {
    cwd: ROOT,
    env: { ...process.env, IMAGES_DIR: database.imagesDir, USER_ID: userId },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(writer.stdout, 'data');
  writer.kill('SIGKILL');
  await once(writer, 'exit');
}

describe('a user who is erased', () => {
  test('leaves no row in any table and no file, also of killed writers; other users keep theirs', async () => {
    const [erased, kept] = [await addUser(), await addUser()];
    const keptKey = newImageKey(clock.now(), kept);
    for (const [objectKey, userId] of [
      [newImageKey(clock.now(), erased), erased],
      [keptKey, kept],
    ] as const) {
      await images.put(objectKey, Buffer.from('x'));
      await db.storedImage.create({ data: { ...picture, userId, objectKey } });
    }
    await fillTables(db, kept);
    await fillTables(db, erased);
    const [key] = await db.apiKey.findMany({ where: { userId: erased } });
    await db.rateLimit.createMany({ data: [{ key: `search:${erased}` }, { key: `search:${key!.id}` }] });
    const words = { type: 'system_announcement', title: 'x', message: 'x' } as const;
    await db.announcement.createMany({
      data: [
        { ...words, userIds: [erased] },
        { ...words, userIds: [erased, kept], createdBy: erased },
      ],
    });
    await killedWriter(erased);
    const { ofUsers } = await tablesOf(db);
    expect(Object.keys(await rowsSaying(db, ''))).toEqual(expect.arrayContaining([...ofUsers]));
    expect((await files()).filter((name) => name.includes(erased)).length).toBeGreaterThan(3);

    const { email } = await db.user.findUniqueOrThrow({ where: { id: erased } });
    expect(await deleteUser({ db, images }, email)).toBe(true);

    expect(await rowsSaying(db, erased)).toEqual({});
    // Of each table one of two rows.
    const left = Object.entries(await rowsSaying(db, '')).filter(([table]) => ofUsers.has(table));
    expect(Object.fromEntries(left)).toEqual({
      ...Object.fromEntries([...ofUsers].map((table) => [table, 1])),
      StoredImage: 2,
      // A trigger of OccupancyMinute writes the second.
      OccupancyQuarter: 2,
    });
    expect((await db.announcement.findFirst())?.userIds).toEqual([kept]);
    expect(await files()).toEqual([keptKey]);
    await db.announcement.deleteMany();
    await db.user.deleteMany();
    await images.removeOf(kept);
  });

  test('can be erased while a node writes their runs', async () => {
    const device = await addDevice(db);
    await queueScene(db, device);
    await queueScene(db, device);
    const nodeId = await addNode(db, 'writer');
    const claims = await claimRuns(db, { nodeId, heldDeviceIds: [], maxDevices: 9, leaseSeconds: 99 });
    const writes = claims.map((run) => writeOf(run, nodeId));
    let written = 0;
    const writer = (async () => {
      for (;;) {
        const { held } = await writeRuns(db, nodeId, writes);
        if (held.size === 0) return;
        written += 1;
      }
    })();
    await eventually('the node writes', () => written > 2);
    await eraseUser(db, device.userId);
    await writer;
    expect(await rowsSaying(db, device.userId)).toEqual({});
  });

  test('is not erased by a program with another image storage, which could not remove the images', async () => {
    await addUser();
    const { email, id } = (await db.user.findFirst())!;
    const elsewhere = new LocalImages(`${database.imagesDir}/elsewhere`);
    await expect(deleteUser({ db, images: elsewhere }, email)).rejects.toThrow('are kept elsewhere');
    await eraseUser(db, id);
    expect(await db.user.count()).toBe(0);
  });
});

describe('the job that removes images without a row', () => {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);

  test('removes images without a row and unfinished images after a day, and keeps images that have a row or may get one', async () => {
    const userId = await addUser();
    const known = [newImageKey(daysAgo(9), userId), newImageKey(clock.now(), userId), '2026-01-01/known.jpg'];
    const young = [newImageKey(clock.now(), userId), newImageKey(daysAgo(1), userId)];
    const unknown = [
      newImageKey(daysAgo(2), userId),
      newImageKey(daysAgo(9), userId),
      '2026-01-01/unknown.jpg',
    ];
    const ofErased = newImageKey(clock.now(), randomUUID());
    for (const key of [...known, ...young, ...unknown, ofErased]) await images.put(key, Buffer.from('x'));
    for (const objectKey of known) await db.storedImage.create({ data: { ...picture, userId, objectKey } });
    await writeFile(join(database.imagesDir, '2026-01-01/.unknown.jpg.x.draft'), 'x');

    // Two programs at once: one of them looks.
    const removed = await Promise.all([sweep(), sweep()]);
    expect(removed.sort()).toEqual([0, unknown.length + 1]);
    expect((await files()).sort()).toEqual([...known, ...young].sort());
    // A round a day, however often it is called.
    clock.forward(3_600);
    expect(await sweep()).toBe(0);
    expect(await files()).toHaveLength(known.length + young.length);
    clock.forward(3 * 86_400);
    expect(await sweep()).toBe(young.length);
    expect((await files()).sort()).toEqual(known.sort());
  });

  test('continues where the last run stopped, also after a killed run', async () => {
    clock.forward(2 * 86_400);
    const userId = await addUser();
    const keys = Array.from({ length: 5 }, (_, day) => newImageKey(daysAgo(20 - day), userId));
    for (const key of keys) await images.put(key, Buffer.from('x'));
    const context = { db, images, clock, logger };
    const before = (await files()).length;
    // Known pictures lie on the days before and behind.
    expect(await removeUnknownImages(context, 2)).toBeLessThan(5);
    let removed = before - (await files()).length;
    class Killed extends LocalImages {
      override async remove(keys: readonly string[]): Promise<void> {
        await super.remove(keys);
        throw new Error('killed');
      }
    }
    await expect(sweep(new Killed(database.imagesDir))).rejects.toThrow('killed');
    expect(await sweep()).toBe(0);
    clock.forward(3_601);
    await sweep();
    removed = before - (await files()).length;
    expect(removed).toBe(5);
  });

  test('removes nothing in a storage that belongs to another database', async () => {
    clock.forward(2 * 86_400);
    const key = newImageKey(daysAgo(9), randomUUID());
    await images.put(key, Buffer.from('x'));
    const own = await readFile(join(database.imagesDir, 'database-id'), 'utf8');
    await writeFile(join(database.imagesDir, 'database-id'), randomUUID());
    expect(await sweep()).toBe(0);
    expect(await images.get(key)).not.toBeNull();
    await writeFile(join(database.imagesDir, 'database-id'), own);
    clock.forward(2 * 86_400);
    expect(await sweep()).toBe(1);
  });

  test('works in a bucket too', async () => {
    const other = await testDatabase();
    const s3 = await startS3();
    try {
      const bucket = s3.images();
      await checkImageStorage({ db: other.db, images: bucket });
      const { id: userId } = await other.db.user.create({ data: { email: 'bucket@example.com' } });
      const keys = [newImageKey(daysAgo(9), userId), newImageKey(daysAgo(9), userId)];
      for (const key of keys) await bucket.put(key, Buffer.from('x'));
      await other.db.storedImage.create({ data: { ...picture, userId, objectKey: keys[0]! } });
      expect(await removeUnknownImages({ db: other.db, images: bucket, clock, logger })).toBe(1);
      expect((await Promise.all(keys.map((key) => bucket.get(key)))).map((found) => found !== null)).toEqual([
        true,
        false,
      ]);
    } finally {
      await s3.close();
      await other.drop();
    }
  });
});

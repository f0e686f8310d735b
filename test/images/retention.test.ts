import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkImageStorage } from '../../src/images/check-storage.ts';
import { removeOldImages } from '../../src/images/retention.job.ts';
import { newImageKey } from '../../src/platform/images/image-store.ts';
import { LocalImages } from '../../src/platform/images/local-images.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const NOW = new Date('2026-06-30T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

test('images older than IMAGE_RETENTION_DAYS are removed with their rows; a second run removes nothing', async () => {
  const { db } = database;
  const images = new LocalImages(database.imagesDir);
  const { id: userId } = await db.user.create({ data: { email: 'pictures@example.com' } });
  const keys = [29, 30, 31, 400].map((days) => newImageKey(daysAgo(days), userId));
  const columns = { userId, kind: 'clean' as const, width: 1, height: 1, sizeBytes: 1, capturedAt: NOW };
  for (const objectKey of keys) {
    await images.put(objectKey, Buffer.from('x'));
    await db.storedImage.create({ data: { ...columns, objectKey } });
  }
  const context = { db, images, clock: { now: () => NOW }, config: { imageRetentionDays: 30 } };
  for (const _ of ['first', 'second']) {
    await removeOldImages(context);
    const rows = await db.storedImage.findMany({ orderBy: { objectKey: 'asc' } });
    expect(rows.map(({ objectKey }) => objectKey)).toEqual([keys[1], keys[0]]);
    const left = await Promise.all(keys.map((key) => images.get(key)));
    expect(left.map((bytes) => bytes !== null)).toEqual([true, true, false, false]);
  }
});

test('a first storage that cannot be written is refused with instructions', async () => {
  const images = new LocalImages(database.imagesDir);
  images.writeId = () => Promise.reject(Object.assign(new Error('EROFS: read-only'), { code: 'EROFS' }));
  await expect(checkImageStorage({ db: database.db, images })).rejects.toThrow(
    /cannot be written \(EROFS\): make it writable/,
  );
});

test('a program with another image storage than the first program is refused with instructions', async () => {
  const { db } = database;
  const folder = (name: string) => new LocalImages(`${database.imagesDir}/${name}`);
  await Promise.all([1, 2, 3].map(() => checkImageStorage({ db, images: folder('shared') })));
  await checkImageStorage({ db, images: folder('shared') });
  await expect(checkImageStorage({ db, images: folder('other') })).rejects.toThrow(/other.*S3_BUCKET/);
  // Nothing was written into it: it belongs to no database yet.
  expect(await folder('other').readId('storage-id')).toBeNull();
});

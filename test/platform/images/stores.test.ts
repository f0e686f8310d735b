import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ImageStore, newImageKey } from '../../../src/platform/images/image-store.ts';
import { LocalImages } from '../../../src/platform/images/local-images.ts';
import { startS3, type TestS3 } from '../../support/s3.ts';

let folder: string;
let s3: TestS3;
const stores: Record<string, ImageStore> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-'));
  s3 = await startS3();
  stores.folder = new LocalImages(join(folder, 'store'));
  stores.bucket = s3.images();
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const NOW = new Date('2026-03-10T23:59:59.999Z');
const bytes = (text: string) => Buffer.from(text);

describe.each(['folder', 'bucket'])('images in a %s', (name) => {
  let store: ImageStore;
  beforeAll(() => {
    store = stores[name]!;
  });

  test('are there as they were put, byte by byte', async () => {
    const key = newImageKey(NOW);
    const picture = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 256));
    await store.put(key, picture);
    expect(picture.equals((await store.get(key))!)).toBe(true);
  });

  test('a second put of a key replaces the first', async () => {
    const key = newImageKey(NOW);
    await store.put(key, bytes('first'));
    await store.put(key, bytes('second'));
    expect(String(await store.get(key))).toBe('second');
  });

  test('what is not there is null, and may be removed', async () => {
    const key = newImageKey(NOW);
    expect(await store.get(key)).toBeNull();
    await store.remove([key]);
  });

  test('those removed are gone, the others stay', async () => {
    const keys = Array.from({ length: 3 }, () => newImageKey(NOW));
    for (const key of keys) await store.put(key, bytes(key));
    await store.remove(keys.slice(0, 2));
    expect(await Promise.all(keys.map((key) => store.get(key)))).toEqual([null, null, bytes(keys[2]!)]);
  });

  test.each([
    '../secrets.json',
    '2026-03-10/../../secrets.json',
    '2026-03-10/..',
    '/etc/passwd',
    '2026-03-10/a/b.jpg',
    '2026-03-10/.hidden',
    '2026-03-10/a\0.jpg',
    '2026-03-10/A B.jpg',
    'storage-id',
    '',
  ])('%j is no key', async (key) => {
    await expect(store.put(key, bytes('x'))).rejects.toThrow('is no image key');
    expect(await store.get(key)).toBeNull();
    await store.remove([key]);
  });

  test('days before a day are removed, that day and its id stay', async () => {
    const id = await store.writeId('one');
    const days = ['2025-12-31', '2026-01-01', '2026-01-02'];
    for (const day of days) for (const n of [1, 2]) await store.put(`${day}/${n}.jpg`, bytes(day));
    await store.removeBefore('2026-01-02');
    const left = await Promise.all(days.map((day) => store.get(`${day}/2.jpg`)));
    expect(left.map(String)).toEqual(['null', 'null', '2026-01-02']);
    expect(await store.readId()).toBe(id);
  });

  test('it keeps its first id', async () => {
    expect(await store.writeId('two')).toBe('one');
    expect(await store.readId()).toBe('one');
  });
});

describe('a folder', () => {
  test('is readable by this account alone, and nothing half-written is left in it', async () => {
    const root = join(folder, 'store');
    expect((await stat(root)).mode & 0o777).toBe(0o700);
    const [day] = (await readdir(root)).filter((entry) => entry === '2026-03-10');
    expect((await stat(join(root, day!))).mode & 0o777).toBe(0o700);
    const names = await readdir(join(root, day!));
    expect(names.filter((entry) => entry.startsWith('.'))).toEqual([]);
    expect((await stat(join(root, day!, names[0]!))).mode & 0o777).toBe(0o600);
  });

  test('that cannot be written says so, and keeps nothing', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    await expect(new LocalImages(file).put(newImageKey(NOW), bytes('x'))).rejects.toThrow(/ENOTDIR|EEXIST/);
  });

  test('ids written at the same time end as one', async () => {
    const store = new LocalImages(join(folder, 'race'));
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.writeId(id)));
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a bucket', () => {
  test('that refuses our key or does not exist says so', async () => {
    await expect(s3.images('images', 'wrong').put(newImageKey(NOW), bytes('x'))).rejects.toThrow(
      /access key/i,
    );
    await expect(s3.images('none').get(newImageKey(NOW))).rejects.toThrow(/bucket/i);
  });

  test('loses more pictures in one removal than S3 takes in one request', async () => {
    const store = stores.bucket!;
    const keys = Array.from({ length: 1_001 }, (_, n) => `2020-01-01/${n}.jpg`);
    await store.put(keys[1_000]!, bytes('last'));
    await store.remove(keys);
    expect(await store.get(keys[1_000]!)).toBeNull();
  });
});

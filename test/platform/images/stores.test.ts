import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ImageStore, newImageKey } from '../../../src/platform/images/image-store.ts';
import { LocalImages } from '../../../src/platform/images/local-images.ts';
import { startS3, type TestS3 } from '../../support/servers/s3.ts';

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
const USER = '0198b3f0-0000-7000-8000-00000000000a';
const OTHER = '0198b3f0-0000-7000-8000-00000000000b';
const bytes = (text: string) => Buffer.from(text);

describe.each(['folder', 'bucket'])('images in a %s', (name) => {
  let store: ImageStore;
  beforeAll(() => {
    store = stores[name]!;
  });

  test('images are read back byte by byte', async () => {
    const key = newImageKey(NOW, USER);
    const picture = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 256));
    await store.put(key, picture);
    expect(picture.equals((await store.get(key))!)).toBe(true);
  });

  test('a second put of a key replaces the first', async () => {
    const key = newImageKey(NOW, USER);
    await store.put(key, bytes('first'));
    await store.put(key, bytes('second'));
    expect(String(await store.get(key))).toBe('second');
  });

  test('a missing image reads as null and may be removed', async () => {
    const key = newImageKey(NOW, USER);
    expect(await store.get(key)).toBeNull();
    await store.remove([key]);
  });

  test('only the removed images are gone', async () => {
    const keys = Array.from({ length: 3 }, () => newImageKey(NOW, USER));
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

  test('the images of the days before a day are removed, later images and the storage id stay', async () => {
    const id = await store.writeId('storage-id', 'one');
    const days = ['2025-12-31', '2026-01-01', '2026-01-02'];
    for (const day of days) for (const n of [1, 2]) await store.put(`${day}/${n}.jpg`, bytes(day));
    await store.removeBefore('2026-01-02');
    const left = await Promise.all(days.map((day) => store.get(`${day}/2.jpg`)));
    expect(left.map(String)).toEqual(['null', 'null', '2026-01-02']);
    expect(await store.readId('storage-id')).toBe(id);
  });

  test('all images of a user are removed, of every day, and no other images', async () => {
    const days = ['2024-05-01', '2024-05-02', '2024-06-01'].map((day) => new Date(day));
    const gone = '0198b3f0-0000-7000-8000-00000000000c';
    const [mine, others] = [gone, OTHER].map((user) => days.map((day) => newImageKey(day, user)));
    const old = '2024-05-01/0198b3f0-0000-7000-8000-000000000001.jpg';
    for (const key of [...mine!, ...others!, old]) await store.put(key, bytes(key));
    await store.removeOf(gone);
    await store.removeOf(gone);
    const left = await Promise.all([...mine!, ...others!, old].map((key) => store.get(key)));
    expect(left.map((found) => found !== null)).toEqual([false, false, false, true, true, true, true]);
    await store.removeBefore('2024-07-01');
  });

  test('keys are listed in order, also from a given key on', async () => {
    const keys = ['2023-01-02/b.jpg', '2023-01-01/b.jpg', '2023-01-01/a.jpg', '2023-01-03/a.jpg'];
    for (const key of keys) await store.put(key, bytes(key));
    const listed = async (after: string) => {
      const pages: (readonly string[])[] = [];
      for await (const page of store.keysAfter(after)) pages.push(page);
      return pages.flat().filter((key) => key.startsWith('2023'));
    };
    expect(await listed('')).toEqual(keys.toSorted());
    expect(await listed('2023-01-01/b.jpg')).toEqual(['2023-01-02/b.jpg', '2023-01-03/a.jpg']);
    expect(await listed('2023-01-01')).toEqual(keys.toSorted());
    await store.removeBefore('2024-01-01');
    expect(await listed('')).toEqual([]);
  });

  test('a storage keeps its first id', async () => {
    expect(await store.writeId('storage-id', 'two')).toBe('one');
    expect(await store.readId('storage-id')).toBe('one');
  });
});

describe('a folder', () => {
  test('the folder is readable by this account alone and holds no unfinished file', async () => {
    const root = join(folder, 'store');
    expect((await stat(root)).mode & 0o777).toBe(0o700);
    const [day] = (await readdir(root)).filter((entry) => entry === '2026-03-10');
    expect((await stat(join(root, day!))).mode & 0o777).toBe(0o700);
    const names = await readdir(join(root, day!));
    expect(names.filter((entry) => entry.startsWith('.'))).toEqual([]);
    expect((await stat(join(root, day!, names[0]!))).mode & 0o777).toBe(0o600);
  });

  test('a folder that cannot be written leads to an error and stores nothing', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    await expect(new LocalImages(file).put(newImageKey(NOW, USER), bytes('x'))).rejects.toThrow(
      /ENOTDIR|EEXIST/,
    );
  });

  test('unfinished images are removed with their user, and after a day', async () => {
    const root = join(folder, 'drafts');
    const store = new LocalImages(root);
    const keys = [newImageKey(NOW, USER), newImageKey(NOW, OTHER)];
    for (const key of keys) await store.put(key, bytes(key));
    // The names that `put` uses for unfinished files.
    const drafts = keys.map((key) => key.replace('/', '/.').concat('.x.draft'));
    for (const draft of drafts) await writeFile(join(root, draft), '');
    await store.removeOf(USER);
    const left = () => readdir(join(root, '2026-03-10'));
    expect((await left()).sort()).toEqual([drafts[1], keys[1]].map((key) => key!.slice(11)).sort());
    await store.removeUnfinishedBefore('2026-03-10');
    expect(await left()).toHaveLength(2);
    await store.removeUnfinishedBefore('2026-03-11');
    expect(await left()).toEqual([keys[1]!.slice(11)]);
  });

  test('ids that are written at the same time end as one id', async () => {
    const store = new LocalImages(join(folder, 'race'));
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.writeId('storage-id', id)));
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a bucket', () => {
  test('a bucket that refuses the key or does not exist leads to a clear error', async () => {
    await expect(s3.images('images', 'wrong').put(newImageKey(NOW, USER), bytes('x'))).rejects.toThrow(
      /access key/i,
    );
    await expect(s3.images('none').get(newImageKey(NOW, USER))).rejects.toThrow(/bucket/i);
  });

  test('a bucket removes more images at once than S3 accepts in one request', async () => {
    const store = stores.bucket!;
    const keys = Array.from({ length: 1_001 }, (_, n) => `2020-01-01/${n}.jpg`);
    await store.put(keys[1_000]!, bytes('last'));
    await store.remove(keys);
    expect(await store.get(keys[1_000]!)).toBeNull();
  });
});

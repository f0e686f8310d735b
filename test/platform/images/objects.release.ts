import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ImageStore, newImageKey } from '../../../src/platform/images/image-store.ts';
import { LocalImages } from '../../../src/platform/images/local-images.ts';
import { withReadable } from '../../../src/platform/images/object-server.ts';
import { newObjectKey, ObjectTooLarge, StorageFull } from '../../../src/platform/images/object-store.ts';
import { startS3, type TestS3 } from '../../support/servers/s3.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

let folder: string;
let s3: TestS3;
const stores: Record<string, ImageStore> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'objects-'));
  s3 = await startS3();
  stores.folder = new LocalImages(join(folder, 'store'));
  stores.bucket = s3.images();
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const USER = '0198b3f0-0000-7000-8000-00000000000a';
const OTHER = '0198b3f0-0000-7000-8000-00000000000b';
const MOST = 100_000_000;
/** Times of files differ from ours by less. */
const LATER = new Date(Date.now() + 3_600_000);
const EARLIER = new Date(Date.now() - 3_600_000);

async function* chunks(...all: (string | Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of all) {
    if (chunk instanceof Error) throw chunk;
    yield Buffer.from(chunk);
  }
}

describe.each(['folder', 'bucket'])('objects in a %s', (name) => {
  let images: ImageStore;
  beforeAll(() => {
    images = stores[name]!;
  });
  const put = (key: string, ...all: (string | Uint8Array | Error)[]) =>
    images.objects.putStream(key, chunks(...all), { maxBytes: MOST });
  const get = async (key: string) => {
    const stream = await images.objects.read(key);
    return stream && (await buffer(stream)).toString();
  };
  async function all(pages: AsyncIterable<readonly string[]>): Promise<string[]> {
    const keys: string[] = [];
    for await (const page of pages) keys.push(...page);
    return keys.sort();
  }

  test('an object is stored from its parts and read whole or in part', async () => {
    const key = newObjectKey('recordings', USER);
    expect(await put(key, 'one ', 'two ', 'three')).toBe(13);
    expect([await get(key), await images.objects.sizeOf(key)]).toEqual(['one two three', 13]);
    const part = await images.objects.read(key, { start: 4, end: 6 });
    expect((await buffer(part!)).toString()).toBe('two');
    await images.objects.remove([key, newObjectKey('recordings', USER)]);
    expect([await get(key), await images.objects.sizeOf(key)]).toEqual([null, null]);
  });

  test('an object of several parts keeps its bytes', async () => {
    const key = newObjectKey('exports', USER);
    const bytes = Buffer.alloc(9_000_003, 'abcdefg');
    const parts = [0, 1, 4_000_000, 4_000_000, 9_000_000].map((at, n, list) =>
      bytes.subarray(at, list[n + 1]),
    );
    expect(await put(key, ...parts)).toBe(bytes.length);
    expect((await buffer((await images.objects.read(key))!)).equals(bytes)).toBe(true);
    await images.objects.remove([key]);
  });

  test('an empty object is an object', async () => {
    const key = newObjectKey('exports', USER);
    expect([await put(key), await images.objects.sizeOf(key), await get(key)]).toEqual([0, 0, '']);
    await images.objects.remove([key]);
  });

  test('a stream that fails, is too long or is given up leaves nothing', async () => {
    const key = newObjectKey('recordings', USER);
    await expect(put(key, 'begin', new Error('broke off'))).rejects.toThrow('broke off');
    const tooLong = images.objects.putStream(key, chunks('12345', '678'), { maxBytes: 7 });
    await expect(tooLong).rejects.toThrow(ObjectTooLarge);
    const given = new AbortController();
    const endless = (async function* () {
      for (let sent = 0; ; sent += 1) {
        if (sent === 1) given.abort();
        yield Buffer.alloc(9_000_000);
      }
    })();
    await expect(
      images.objects.putStream(key, endless, { maxBytes: 10 ** 10, signal: given.signal }),
    ).rejects.toThrow(/abort/i);
    expect(await images.objects.sizeOf(key)).toBeNull();
    expect(await all(images.objects.keysBefore('recordings', LATER))).toEqual([]);
    if (name === 'bucket') expect(await s3.uploads()).toEqual([]);
    if (name === 'folder') expect(readdirSync(join(folder, 'store/recordings'))).toEqual([]);
  });

  test.each(['../secrets', '2026-03-10/a.jpg', 'recordings/x', `recordings/${USER}.`, 'recordings/../a'])(
    'the key %s is refused',
    async (key) => {
      await expect(put(key, 'x')).rejects.toThrow('no object key');
      expect([await get(key), await images.objects.sizeOf(key), images.objects.fileOf(key)]).toEqual([
        null,
        null,
        null,
      ]);
      await images.objects.remove([key]);
    },
  );

  test('objects of a kind are listed by age; retention and sweep of images leave them alone', async () => {
    const [mine, others] = [newObjectKey('recordings', USER), newObjectKey('recordings', OTHER)];
    const exported = newObjectKey('exports', USER);
    for (const key of [mine, others, exported]) await put(key, key);
    const image = newImageKey(new Date('2026-03-10T00:00:00Z'), USER);
    await images.put(image, Buffer.from('x'));
    expect(await all(images.objects.keysBefore('recordings', LATER))).toEqual([mine, others].sort());
    expect(await all(images.objects.keysBefore('recordings', EARLIER))).toEqual([]);
    expect(await all(images.keysAfter(''))).toEqual([image]);
    await images.removeBefore('9999-12-31');
    await images.removeOf(USER);
    expect([await get(mine), await get(exported)]).toEqual([mine, exported]);
    await images.objects.removeOf(USER);
    expect([await get(mine), await get(others), await get(exported)]).toEqual([null, others, null]);
    await images.objects.removeOf(OTHER);
  });

  test('another program reads an object, or the parts that it wants', async () => {
    const key = newObjectKey('recordings', USER);
    await put(key, '0123456789');
    const seen = await withReadable(images.objects, key, async ({ scheme, location }) => {
      expect(scheme).toBe(name === 'folder' ? 'file' : 'http');
      if (scheme === 'file') return [];
      const ask = async (range?: string) => {
        const answer = await fetch(location, range ? { headers: { range } } : {});
        return [answer.status, await answer.text(), answer.headers.get('content-range')];
      };
      const other = await fetch(new URL('/other', location));
      return [
        await ask(),
        await ask('bytes=3-5'),
        await ask('bytes=8-'),
        await ask('bytes=20-'),
        other.status,
      ];
    });
    if (name === 'bucket')
      expect(seen).toEqual([
        [200, '0123456789', null],
        [206, '345', 'bytes 3-5/10'],
        [206, '89', 'bytes 8-9/10'],
        [416, '', 'bytes */10'],
        404,
      ]);
    expect(await withReadable(images.objects, newObjectKey('recordings', USER), async () => 1)).toBeNull();
    await images.objects.remove([key]);
  });
});

describe('what a killed program leaves', () => {
  test('in a folder is removed with its user, and when nothing was written for long', async () => {
    const root = join(folder, 'killed');
    const { objects } = new LocalImages(root);
    const keys = [newObjectKey('recordings', USER), newObjectKey('recordings', OTHER)];
    for (const key of keys) await objects.putStream(key, chunks('x'), { maxBytes: 1 });
    const drafts = keys.map((key) => join(root, key.replace('/', '/.').concat('.x.draft')));
    for (const draft of drafts) writeFileSync(draft, '');
    const left = () => readdirSync(join(root, 'recordings')).length;
    await objects.removeOf(USER);
    expect(left()).toBe(2);
    await objects.removeUnfinished('recordings', EARLIER);
    expect(left()).toBe(2);
    utimesSync(drafts[1]!, 0, 0);
    await objects.removeUnfinished('recordings', EARLIER);
    expect(left()).toBe(1);
    expect(statSync(join(root, keys[1]!)).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'recordings')).mode & 0o777).toBe(0o700);
  });

  test('in a bucket is removed too', async () => {
    const { objects } = stores.bucket!;
    let begun!: () => void;
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    // It never ends, as if its program had been killed after the first part.
    const killed = (async function* () {
      yield Buffer.alloc(9_000_000);
      begun();
      await new Promise(() => undefined);
    })();
    const key = newObjectKey('recordings', USER);
    objects.putStream(key, killed, { maxBytes: MOST }).catch(() => undefined);
    await isBegun;
    await objects.removeUnfinished('recordings', EARLIER);
    expect(await s3.uploads()).toEqual([key]);
    await objects.removeUnfinished('recordings', LATER);
    expect(await s3.uploads()).toEqual([]);
  });
});

test('a full disk is a clear error, and leaves nothing', async () => {
  const disk = mountSmallDisk();
  if (disk === null) return;
  try {
    const { objects } = new LocalImages(disk.folder);
    const key = newObjectKey('recordings', USER);
    const large = objects.putStream(key, chunks(Buffer.alloc(600_000), Buffer.alloc(600_000)), {
      maxBytes: MOST,
    });
    await expect(large).rejects.toThrow(StorageFull);
    expect(readdirSync(join(disk.folder, 'recordings'))).toEqual([]);
    expect(await objects.putStream(key, chunks('small'), { maxBytes: MOST })).toBe(5);
  } finally {
    disk.remove();
  }
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { newImageKey } from '../../../src/platform/images/image-store.ts';
import { IN_WEBHOOKS_SECONDS, imageUrl } from '../../../src/platform/images/image-url.ts';
import { codeOf, type TestApi, TestClock, testApi } from '../../support/api.ts';

let api: TestApi;
let key: string;
const clock = new TestClock();
const PICTURE = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

beforeAll(async () => {
  api = await testApi({ PUBLIC_URL: 'https://video.example.com/' }, clock);
  key = newImageKey(clock.now(), randomUUID());
  await api.context.images.put(key, PICTURE);
});
afterAll(() => api.drop());

const pathOf = (url: string) => url.replace('https://video.example.com', '');
const open = (path: string) => request(api.app).get(path);

/** The last letter of 32 bytes has two bits that nobody reads. */
const nextLetter = (letter: string): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return letters[letters.indexOf(letter) + 1]!;
};

describe('a signed image address', () => {
  test('opens without an API key, as an image that shared caches must not store', async () => {
    const url = imageUrl(api.context, key);
    expect(url).toMatch(/^https:\/\/video\.example\.com\/api\/v1\/images\/\d{4}-\d\d-\d\d\/\S+\.jpg\?/);
    const answer = await open(pathOf(url));
    expect(answer.status).toBe(200);
    expect(PICTURE.equals(answer.body)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': expect.stringMatching(/^private, max-age=3[6-9]\d\d$/),
    });
  });

  test('stays the same for five minutes, so that a browser can use its cache', () => {
    const at = (seconds: number) => ({ now: () => new Date(1_800_000_000_000 + seconds * 1000) });
    const [first, second, third] = [1, 290, 310].map((s) => imageUrl({ ...api.context, clock: at(s) }, key));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test.each([
    ['an hour of an answer', undefined, 3_600],
    ['seven days of a webhook', { ttlSeconds: IN_WEBHOOKS_SECONDS }, 604_800],
  ])('works for %s, and then is nothing any more', async (_what, options, seconds) => {
    const began = clock.time;
    const path = pathOf(imageUrl(api.context, key, options));
    clock.forward(seconds - 1);
    expect((await open(path)).status).toBe(200);
    clock.forward(302);
    expect(codeOf(await open(path))).toEqual([404, 'NOT_FOUND']);
    clock.time = began;
  });

  test('is 404 after any change of the address, and when the image was removed', async () => {
    const url = new URL(imageUrl(api.context, key));
    const changed = (name: string, value: string | null) => {
      const copy = new URL(url);
      if (value === null) copy.searchParams.delete(name);
      else copy.searchParams.set(name, value);
      return pathOf(copy.href);
    };
    const signature = url.searchParams.get('signature')!;
    const gone = newImageKey(clock.now(), randomUUID());
    const paths = [
      changed('expires', String(Number(url.searchParams.get('expires')) + 300)),
      changed('expires', `0${url.searchParams.get('expires')}`),
      changed('expires', 'Infinity'),
      changed('expires', null),
      changed('signature', null),
      changed('signature', ''),
      changed('signature', `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`),
      changed('signature', 'ä'.repeat(40)),
      // The same bytes, in other spellings.
      changed('signature', `${signature}=`),
      changed('signature', ` ${signature}`),
      changed('signature', `${signature}!`),
      changed('signature', `${signature.slice(0, -1)}${nextLetter(signature.at(-1)!)}`),
      changed('signature', 'A'.repeat(5_000)),
      `${pathOf(url.href)}&signature=${signature}`,
      pathOf(url.href).replace(key, gone),
      pathOf(imageUrl(api.context, gone)),
      pathOf(imageUrl({ ...api.context, urlSigningKey: 'another key that is long enough too' }, key)),
      '/api/v1/images/..%2f..%2fetc/passwd?expires=9999999999&signature=x',
      '/api/v1/images/2026-01-01/%00?expires=9999999999&signature=x',
      '/api/v1/images/2026-01-01/storage-id',
    ];
    for (const path of paths) expect([path, ...codeOf(await open(path))]).toEqual([path, 404, 'NOT_FOUND']);
  });

  test('uses the address of the API when PUBLIC_URL is not set', () => {
    const config = { publicUrl: undefined, host: '::1', port: 8080 };
    expect(imageUrl({ ...api.context, config }, key)).toMatch(/^http:\/\/\[::1\]:8080\/api\/v1\/images\//);
  });
});

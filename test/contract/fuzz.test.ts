import { expect, test } from '@jest/globals';
import { LEAK, sendsAnything, target } from './fuzz.ts';
import { exchange, RAW_REQUESTS } from './raw-requests.ts';

// Always the same ones, so that a red test is about the change; fuzz.release.ts sends others and more.
sendsAnything(400, Number(process.env.FUZZ_SEED ?? 1));

test.each(RAW_REQUESTS)('%s', async (_what, bytes, expected) => {
  const { url, key } = target();
  const answer = await exchange(url, bytes(key), expected !== null);
  if (expected !== null) expect(answer).toMatch(expected);
  expect(answer).not.toMatch(LEAK);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

import { expect, test } from '@jest/globals';
import { openShrinker } from '../../src/models/shrink-frame.ts';

test('each pixel of a shrunk frame is the mean of those that it stands for', async () => {
  const shrinker = await openShrinker({ width: 16, height: 16 }, { width: 8, height: 8 });
  const pixels = new Uint8Array(16 * 16 * 3);
  // The right half is red, and the first of every two rows is green.
  for (let at = 0; at < 16 * 16; at++) {
    if (at % 16 >= 8) pixels[3 * at] = 200;
    if (Math.floor(at / 16) % 2 === 0) pixels[3 * at + 1] = 100;
  }
  const shrunk = await shrinker.of(pixels);
  expect(shrunk).toHaveLength(8 * 8 * 3);
  for (let at = 0; at < 8 * 8; at++)
    expect([...shrunk.subarray(3 * at, 3 * at + 3)]).toEqual([at % 8 >= 4 ? 200 : 0, 50, 0]);
  await shrinker.release();
});

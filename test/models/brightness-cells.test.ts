import { expect, test } from '@jest/globals';
import { openBrightness } from '../../src/models/brightness-cells.ts';
import { SUM_OF_LEVEL } from '../../src/vision/still/brightness.ts';

test('adds up the brightness of each cell of eight pixels a side', async () => {
  const pixels = new Uint8Array(16 * 24 * 3);
  // The right cell of the second row is white, the first pixel of all is green.
  for (let y = 8; y < 16; y++) pixels.fill(255, (y * 16 + 8) * 3, (y * 16 + 16) * 3);
  pixels[1] = 255;
  const brightness = (await openBrightness({ width: 16, height: 24 }))!;
  expect(brightness.count).toBe(6);
  expect([...(await brightness.of(pixels))]).toEqual([510, 0, 0, 255 * SUM_OF_LEVEL, 0, 0]);
  pixels.fill(0);
  expect([...(await brightness.of(pixels))]).toEqual([0, 0, 0, 0, 0, 0]);
  await brightness.release();
});

test('frames that cells do not fill are not compared', async () => {
  expect(await openBrightness({ width: 2, height: 2 })).toBeUndefined();
});

import { expect, test } from '@jest/globals';
import { openStillTools } from '../../src/models/still-tools.ts';
import type { Detector } from '../../src/vision/detect/detector.ts';
import { SUM_OF_LEVEL } from '../../src/vision/still/still-tools.ts';
import type { Letterbox } from '../../src/vision/types.ts';

interface Seen {
  readonly pixels: Uint8Array;
  readonly letterbox: Letterbox;
}

/** A detector that keeps what it sees. */
const detectorOf = (width: number, height: number, seen: Seen[] = []): Detector => ({
  ...{ name: 'none', executionProvider: 'cpu', inputWidth: width, inputHeight: height },
  sizes: [
    { width, height },
    { width: width / 2, height: height / 2 },
  ],
  detect: async (pixels, letterbox) => {
    seen.push({ pixels: pixels.slice(), letterbox });
    return [];
  },
  prepare: async () => undefined,
  dispose: async () => undefined,
});

test('adds up the brightness of each cell of eight pixels a side', async () => {
  const pixels = new Uint8Array(16 * 24 * 3);
  // The right cell of the second row is white, the first pixel of all is green.
  for (let y = 8; y < 16; y++) pixels.fill(255, (y * 16 + 8) * 3, (y * 16 + 16) * 3);
  pixels[1] = 255;
  const { brightness } = (await openStillTools(detectorOf(16, 24)))!;
  expect(brightness.count).toBe(6);
  expect([...(await brightness.of(pixels))]).toEqual([510, 0, 0, 255 * SUM_OF_LEVEL, 0, 0]);
  pixels.fill(0);
  expect([...(await brightness.of(pixels))]).toEqual([0, 0, 0, 0, 0, 0]);
  await brightness.release();
});

test('a glance sees the whole frame at the smallest size', async () => {
  const seen: Seen[] = [];
  const { glance } = (await openStillTools(detectorOf(16, 16, seen)))!;
  const pixels = new Uint8Array(16 * 16 * 3);
  // The right half is red.
  for (let at = 0; at < pixels.length; at += 3) if ((at / 3) % 16 >= 8) pixels[at] = 200;
  await glance!.at(pixels, { inputWidth: 16, inputHeight: 16, contentWidth: 16, contentHeight: 9 }, 0.1);
  expect(seen[0]!.letterbox).toEqual({ inputWidth: 8, inputHeight: 8, contentWidth: 8, contentHeight: 4.5 });
  expect([...seen[0]!.pixels.subarray(0, 24)].filter((_, at) => at % 3 === 0)).toEqual([
    0, 0, 0, 0, 200, 200, 200, 200,
  ]);
  await glance!.release();
});

test('a detector of one size has no glance, and frames that cells do not fill are not compared', async () => {
  const { sizes, ...detector } = detectorOf(16, 16);
  expect((await openStillTools({ ...detector, sizes: sizes.slice(0, 1) }))!.glance).toBeNull();
  expect(await openStillTools(detectorOf(2, 2))).toBeUndefined();
});

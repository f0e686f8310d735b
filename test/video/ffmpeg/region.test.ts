import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import { cropOf, letterboxOf } from '../../../src/video/ffmpeg/letterbox.ts';
import { WHOLE_PICTURE } from '../../../src/vision/region.ts';
import type { Region } from '../../../src/vision/types.ts';
import { FFMPEG_PATHS, runFfmpeg, scratchFolder } from '../../support/ffmpeg.ts';

const folder = scratchFolder();
const clip = (name: string) => join(folder, name);
afterAll(() => rm(folder, { recursive: true }));

/** Red rises from left to right and green from top to bottom, so that a pixel tells its place. */
const PLACES = ['-f', 'lavfi', '-i', 'color=black:rate=5:size='] as const;
const places = (size: string, filters = '') => [
  ...PLACES.slice(0, 3),
  `${PLACES[3]}${size},format=rgb24,geq=r='255*(X+0.5)/W':g='255*(Y+0.5)/H':b=128${filters}`,
  ...['-frames:v', '2'],
];
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '2', '-pix_fmt', 'yuv420p'];

beforeAll(async () => {
  await Promise.all([
    runFfmpeg(...places('320x180'), ...X264, clip('wide.mp4')),
    runFfmpeg(...places('321x181'), '-c:v', 'ffv1', '-pix_fmt', 'yuv444p', clip('odd.mkv')),
    runFfmpeg(...places('160x180', ',setsar=2'), ...X264, clip('narrow-pixels.mp4')),
  ]);
  await writeFile(clip('turned.mp4'), quarterTurn(await readFile(clip('wide.mp4'))));
});

/** The video's track header with the matrix of a quarter turn: a player then shows it turned. */
function quarterTurn(mp4: Buffer): Buffer {
  const matrixAt = mp4.indexOf('tkhd') + 44;
  const matrix = [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1_073_741_824];
  for (const [at, value] of matrix.entries()) mp4.writeInt32BE(value, matrixAt + at * 4);
  return mp4;
}

async function firstFrame(name: string, region: Region | undefined) {
  const source = new FfmpegSource({
    ...{ url: clip(name), fps: 5, inputWidth: 128, inputHeight: 96, pace: 'fast', region },
    ...FFMPEG_PATHS,
  });
  const { letterbox } = await source.open();
  const frame = (await source.next())!;
  const [model, full] = [frame.model.slice(), frame.full!.data.slice()];
  await source.close();
  return { letterbox, model, full };
}

const region = (left: number, top: number, width: number, height: number): Region => ({
  ...{ left, top, width, height },
});

describe('the part of a picture that the model gets', () => {
  test.each<[string, Region]>([
    ['wide.mp4', region(0.25, 0.25, 0.5, 0.5)],
    ['wide.mp4', region(0, 0, 0.3, 1)],
    ['wide.mp4', region(0.61, 0.47, 0.39, 0.53)],
    ['odd.mkv', region(0.31, 0.2, 0.4, 0.5)],
    ['odd.mkv', region(0.6, 0.6, 0.4, 0.4)],
    ['narrow-pixels.mp4', region(0.25, 0.1, 0.4, 0.6)],
    ['narrow-pixels.mp4', region(0.7, 0.5, 0.3, 0.5)],
  ])('%s: its pixels come from the place that the letterbox names (%j)', async (name, wanted) => {
    const { letterbox, model } = await firstFrame(name, wanted);
    const { contentWidth, contentHeight } = letterbox;
    const shown = letterbox.region!;
    // What was asked for is inside, but for the last row and column of an odd size.
    expect(shown.left).toBeLessThanOrEqual(wanted.left);
    expect(shown.top).toBeLessThanOrEqual(wanted.top);
    expect(shown.left + shown.width).toBeGreaterThan(wanted.left + wanted.width - 0.006);
    expect(shown.top + shown.height).toBeGreaterThan(wanted.top + wanted.height - 0.006);
    for (const [x, y] of [
      [1, 1],
      [contentWidth - 2, 1],
      [1, contentHeight - 2],
      [contentWidth - 2, contentHeight - 2],
      [contentWidth >> 1, contentHeight >> 1],
    ] as const) {
      const at = (y * 128 + x) * 3;
      const across = shown.left + (shown.width * (x + 0.5)) / contentWidth;
      const down = shown.top + (shown.height * (y + 0.5)) / contentHeight;
      expect(Math.abs(model[at]! - 255 * across)).toBeLessThan(8);
      expect(Math.abs(model[at + 1]! - 255 * down)).toBeLessThan(6);
    }
  });

  test('of a turned video it is cut from the turned picture', async () => {
    const { letterbox, model } = await firstFrame('turned.mp4', region(0, 0, 1, 0.5));
    expect(letterbox.region).toEqual(region(0, 0, 1, 0.5));
    expect([letterbox.contentWidth, letterbox.contentHeight]).toEqual([108, 96]);
    // A quarter turn clockwise: the left half of the file is above.
    const at = (95 * 128 + 50) * 3;
    expect(Math.abs(model[at]! - 127)).toBeLessThan(8);
    expect(model[50 * 3]!).toBeLessThan(8);
  });

  test('the full frame stays whole, and the whole picture as region changes no byte', async () => {
    const plain = await firstFrame('wide.mp4', undefined);
    const part = await firstFrame('wide.mp4', region(0.2, 0.2, 0.4, 0.4));
    const whole = await firstFrame('wide.mp4', WHOLE_PICTURE);
    expect(Buffer.compare(part.full, plain.full)).toBe(0);
    expect(Buffer.compare(part.model, plain.model)).not.toBe(0);
    expect(whole.letterbox).toEqual(plain.letterbox);
    expect(Buffer.compare(whole.model, plain.model)).toBe(0);
    expect(Buffer.compare(whole.full, plain.full)).toBe(0);
  });
});

describe('the pixels of a region', () => {
  test.each([
    [{ width: 1920, height: 1080 }, WHOLE_PICTURE, null],
    [{ width: 1921, height: 1081 }, WHOLE_PICTURE, null],
    [{ width: 1920, height: 1080 }, region(0.0001, 0, 0.9999, 1), null],
    [{ width: 1920, height: 1080 }, region(0.25, 0.25, 0.5, 0.5), [480, 270, 960, 540]],
    [{ width: 1920, height: 1080 }, region(0.2501, 0.25, 0.5, 0.5), [480, 270, 962, 540]],
    [{ width: 1921, height: 1081 }, region(0.5, 0.5, 0.5, 0.5), [960, 540, 960, 540]],
    [{ width: 640, height: 480 }, region(0.99, 0.99, 0.01, 0.01), [608, 448, 32, 32]],
    [{ width: 20, height: 20 }, region(0.5, 0.5, 0.1, 0.1), null],
  ])('of a frame of %j in %j are %j', (frame, wanted, expected) => {
    const crop = cropOf(frame, wanted);
    expect(crop && [crop.x, crop.y, crop.width, crop.height]).toEqual(expected);
  });

  test('are even, inside the frame, and hold what was asked for', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const size = fc.integer({ min: 2, max: 4000 });
    fc.assert(
      fc.property(size, size, share, share, share, share, (width, height, a, b, c, d) => {
        const frame = { width, height };
        const wanted = region(Math.min(a, b), Math.min(c, d), Math.abs(a - b), Math.abs(c - d));
        const crop = cropOf(frame, wanted);
        if (!crop) return;
        const across = [crop.x, crop.width, wanted.left * width, wanted.width * width, width] as const;
        const down = [crop.y, crop.height, wanted.top * height, wanted.height * height, height] as const;
        for (const [from, length, wantedFrom, wantedLength, most] of [across, down]) {
          expect(from % 2).toBe(0);
          expect(from).toBeGreaterThanOrEqual(0);
          expect(from + length).toBeLessThanOrEqual(most);
          if (length < most) expect(length % 2).toBe(0);
          expect(from).toBeLessThanOrEqual(wantedFrom + 0.01);
          expect(from + length).toBeGreaterThanOrEqual(wantedFrom + wantedLength - 1.01);
        }
        const { contentWidth, contentHeight } = letterboxOf(frame, crop, {
          inputWidth: 512,
          inputHeight: 384,
        });
        expect(contentWidth).toBeLessThanOrEqual(512);
        expect(contentHeight).toBeLessThanOrEqual(384);
      }),
    );
  });
});

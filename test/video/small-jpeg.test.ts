import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { toJpeg } from '../../src/video/jpeg.ts';
import { toSmallJpeg } from '../../src/video/small-jpeg.ts';
import type { FullFrame } from '../../src/vision/frame.ts';

/** Four quarters of different colours. */
function frameOf(width: number, height: number, colourMatrix: FullFrame['colourMatrix']): FullFrame {
  const data = new Uint8Array((width * height * 3) / 2);
  const COLOURS = [
    [81, 90, 240],
    [145, 54, 34],
    [41, 240, 110],
    [210, 128, 128],
  ] as const;
  const colour = (x: number, y: number, w: number, h: number) =>
    COLOURS[(x < w / 2 ? 0 : 1) + (y < h / 2 ? 0 : 2)]!;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data[y * width + x] = colour(x, y, width, height)[0];
  const [w, h] = [width / 2, height / 2];
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      data[width * height + y * w + x] = colour(x, y, w, h)[1];
      data[width * height + w * h + y * w + x] = colour(x, y, w, h)[2];
    }
  }
  return { index: 0, timeMs: 0, width, height, colourMatrix, data };
}

/** The colour in the middle of each quarter. */
async function coloursOf(jpeg: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].map((x) => {
      const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
      return [...data.subarray(at, at + 3)];
    }),
  );
}
const sizeOf = async (jpeg: Buffer) => {
  const { format, width, height } = await sharp(jpeg).metadata();
  return [format, width, height];
};

describe('a small JPEG of a frame', () => {
  test.each(['bt601', 'bt709'] as const)('has the colours of a large one (%s)', async (matrix) => {
    const frame = frameOf(256, 128, matrix);
    const wanted = await coloursOf(await toJpeg(frame));
    for (const width of [256, 160]) {
      const colours = await coloursOf(await toSmallJpeg(frame, width));
      const differences = colours.flat().map((level, at) => Math.abs(level - wanted.flat()[at]!));
      expect(Math.max(...differences)).toBeLessThanOrEqual(6);
    }
  });

  test.each([
    ...[[960, 540, 640, 640, 360]],
    ...[[960, 540, 1920, 960, 540]],
    ...[[540, 960, 320, 320, 569]],
    ...[[962, 2, 320, 320, 1]],
    ...[[2, 2, 320, 2, 2]],
  ])('of %i × %i pixels at %i is %i × %i', async (width, height, wanted, w, h) => {
    expect(await sizeOf(await toSmallJpeg(frameOf(width!, height!, 'bt601'), wanted!))).toEqual([
      'jpeg',
      w,
      h,
    ]);
  });

  test('does not change when the buffer of the frame is used again', async () => {
    const frame = frameOf(64, 32, 'bt601');
    const made = toSmallJpeg(frame, 64);
    frame.data.fill(0);
    expect(await coloursOf(await made)).toEqual(
      await coloursOf(await toSmallJpeg(frameOf(64, 32, 'bt601'), 64)),
    );
  });
});

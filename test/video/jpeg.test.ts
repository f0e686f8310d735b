import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { toJpeg } from '../../src/video/jpeg.ts';
import { frameOfRgb } from '../../src/video/picture/from-rgb.ts';
import type { ColourMatrix, FullFrame } from '../../src/vision/frame.ts';

const SIZE = { width: 32, height: 16 };

/** One colour all over, as Y, U, V. */
function frameOf(yuv: readonly number[], colourMatrix: ColourMatrix): FullFrame {
  const luma = SIZE.width * SIZE.height;
  const data = new Uint8Array((luma * 3) / 2);
  data
    .fill(yuv[0]!, 0, luma)
    .fill(yuv[1]!, luma, luma * 1.25)
    .fill(yuv[2]!, luma * 1.25);
  return { index: 0, timeMs: 0, ...SIZE, colourMatrix, data };
}

async function colourOf(frame: FullFrame): Promise<number[]> {
  const { data, info } = await sharp(await toJpeg(frame))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ ...SIZE, channels: 3 });
  return [...data.subarray(0, 3)];
}

test.each<[string, ColourMatrix, number[], number[]]>([
  ['red', 'bt601', [81, 90, 240], [254, 0, 0]],
  ['green', 'bt601', [145, 54, 34], [0, 255, 1]],
  ['blue', 'bt601', [41, 240, 110], [0, 0, 255]],
  ['white', 'bt601', [235, 128, 128], [255, 255, 255]],
  ['black', 'bt709', [16, 128, 128], [0, 0, 0]],
  ['red of HD', 'bt709', [63, 102, 240], [255, 0, 0]],
  ['skin', 'bt709', [160, 112, 150], [207, 159, 134]],
])('%s is %s', async (_name, matrix, yuv, rgb) => {
  const colour = await colourOf(frameOf(yuv, matrix));
  for (const [at, value] of rgb.entries()) expect(Math.abs(colour[at]! - value)).toBeLessThanOrEqual(4);
});

test.each([[[255, 255, 255]], [[0, 0, 0]], [[207, 159, 134]], [[20, 90, 200]]])(
  'the drawn colour %j comes back',
  async (rgb) => {
    const pixels = Uint8Array.from({ length: SIZE.width * SIZE.height * 3 }, (_, at) => rgb[at % 3]!);
    const colour = await colourOf(frameOfRgb(pixels, SIZE));
    for (const [at, value] of rgb.entries()) expect(Math.abs(colour[at]! - value)).toBeLessThanOrEqual(4);
  },
);

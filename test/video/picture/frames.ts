import sharp from 'sharp';
import type { FullFrame } from '../../../src/vision/frame.ts';

/** Width, height and what each pixel of luma is; the colours are grey. */
export function greyFrame(width: number, height: number, luma: (x: number, y: number) => number): FullFrame {
  const data = new Uint8Array((width * height * 3) / 2).fill(128);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data[y * width + x] = luma(x, y);
  return { index: 0, timeMs: 0, width, height, colourMatrix: 'bt601', data };
}

export interface Decoded {
  readonly width: number;
  readonly height: number;
  /** The largest of red, green and blue. */
  readonly brightest: (x: number, y: number) => number;
}

export async function decode(jpeg: Uint8Array): Promise<Decoded> {
  const { data, info } = await sharp(jpeg).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return {
    ...{ width, height },
    brightest: (x, y) => {
      const at = (y * width + x) * 3;
      return Math.max(data[at]!, data[at + 1]!, data[at + 2]!);
    },
  };
}

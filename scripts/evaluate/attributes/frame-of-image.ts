import type { FullFrame } from '../../../src/vision/frame.ts';

/** R, G, B of 0-255 → Y, U, V of video range, ITU-R BT.601. */
const TO_YUV = [
  [16, 0.256788, 0.504129, 0.097906],
  [128, -0.148223, -0.290993, 0.439216],
  [128, 0.439216, -0.367788, -0.071427],
] as const;

/** Rounds neighbours up and down alternately, which preserves their mean. */
const DITHER = [0.125, 0.625, 0.875, 0.375];
const rounded = (value: number, x: number, y: number) => Math.floor(value + DITHER[(y % 2) * 2 + (x % 2)]!);

/** An image in the format of full frames, from RGB bytes. An odd last column or row is dropped. */
export function frameOf(rgb: Uint8Array, size: { width: number; height: number }): FullFrame {
  const [width, height] = [size.width & ~1, size.height & ~1];
  const luma = width * height;
  const data = new Uint8Array(luma * 1.5);
  const at = (x: number, y: number) => (y * size.width + x) * 3;
  const part = (row: 0 | 1 | 2, from: number) => {
    const [zero, red, green, blue] = TO_YUV[row];
    return zero + red * rgb[from]! + green * rgb[from + 1]! + blue * rgb[from + 2]!;
  };
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data[y * width + x] = rounded(part(0, at(x, y)), x, y);
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      const four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
      const cell = (y / 2) * (width / 2) + x / 2;
      for (const row of [1, 2] as const) {
        const sum = four.reduce((total, from) => total + part(row, from), 0);
        data[luma * (row === 1 ? 1 : 1.25) + cell] = rounded(sum / 4, x / 2, y / 2);
      }
    }
  return { index: 0, timeMs: 0, width, height, colourMatrix: 'bt601', data };
}

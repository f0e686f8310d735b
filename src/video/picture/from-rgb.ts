import type { FullFrame } from '../../vision/frame.ts';
import type { Size } from './mask-spans.ts';

/** A picture that is not part of a stream. @param data rgb24 @param size even numbers */
export function frameOfRgb(data: Uint8Array, { width, height }: Size): FullFrame {
  const planes = new Uint8ClampedArray((width * height * 3) / 2);
  const chromaWidth = width / 2;
  const firstU = width * height;
  const firstV = firstU + firstU / 4;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
      planes[y * width + x] = 16 + 0.256788 * red + 0.504129 * green + 0.097906 * blue;
      if (x % 2 === 1 || y % 2 === 1) continue;
      const chroma = (y / 2) * chromaWidth + x / 2;
      planes[firstU + chroma] = 128 - 0.148223 * red - 0.290993 * green + 0.439216 * blue;
      planes[firstV + chroma] = 128 + 0.439216 * red - 0.367788 * green - 0.071427 * blue;
    }
  }
  return { index: 0, timeMs: 0, width, height, colourMatrix: 'bt601', data: new Uint8Array(planes.buffer) };
}

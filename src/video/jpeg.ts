import sharp, { type Sharp } from 'sharp';
import type { ColourMatrix, FullFrame } from '../vision/frame.ts';

// A lane needs its core for decoding and inference; images are rare and may take longer.
sharp.concurrency(1);
sharp.cache(false);

/** Options for images that a client waits for. Optimised Huffman tables would take two thirds of the time to save a tenth of the bytes. */
export const JPEG = { quality: 85, optimiseCoding: false } as const;

/** Y, U, V of 0-255 (video range) → R, G, B; ITU-R BT.601 and BT.709. */
const TO_RGB: Readonly<Record<ColourMatrix, readonly [Row, Row, Row]>> = {
  bt601: [
    [1.164383, 0, 1.596027],
    [1.164383, -0.391762, -0.812968],
    [1.164383, 2.017232, 0],
  ],
  bt709: [
    [1.164383, 0, 1.792741],
    [1.164383, -0.213249, -0.532909],
    [1.164383, 2.112402, 0],
  ],
};
type Row = [number, number, number];
/** Black. */
const ZERO = { y: 16, u: 128, v: 128 };

/**
 * A full frame as JPEG. sharp does not read planar YUV, so the planes become the three channels of an image, and a matrix
 * turns them into RGB. All of it runs in the threads of libvips.
 * @param frame its data must not change until this resolves
 */
export async function toJpeg(frame: FullFrame): Promise<Buffer> {
  const { width, height, data, colourMatrix } = frame;
  const chroma = { width: width / 2, height: height / 2 };
  const lumaBytes = width * height;
  const chromaBytes = chroma.width * chroma.height;
  const enlarged = (start: number) =>
    plane(data.subarray(start, start + chromaBytes), chroma)
      // JPEG halves the size again by the mean of four values, which are equal here.
      .resize(width, height, { fit: 'fill', kernel: 'nearest' })
      .toColourspace('b-w')
      .raw()
      .toBuffer();
  const planes = await Promise.all([enlarged(lumaBytes), enlarged(lumaBytes + chromaBytes)]);
  const matrix = TO_RGB[colourMatrix];
  const offsets = matrix.map(([ofY, ofU, ofV]) => -(ofY * ZERO.y + ofU * ZERO.u + ofV * ZERO.v));
  return plane(data.subarray(0, lumaBytes), { width, height })
    .joinChannel(planes, { raw: { width, height, channels: 1 } })
    .recomb([...matrix])
    .linear([1, 1, 1], offsets)
    .jpeg(JPEG)
    .toBuffer();
}

function plane(data: Uint8Array, { width, height }: { width: number; height: number }): Sharp {
  return sharp(data, { raw: { width, height, channels: 1 } });
}

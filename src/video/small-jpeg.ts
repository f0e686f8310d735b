import sharp from 'sharp';
import type { ColourMatrix, FullFrame } from '../vision/frame.ts';
import { JPEG } from './jpeg.ts';

/** Small for its size, and good enough to recognise people. */
const QUALITY = 75;

/** Factors of Y, V → R, U → G, V → G and U → B in 1/65536, for video range; ITU-R BT.601 and BT.709. */
const FACTORS: Readonly<Record<ColourMatrix, readonly [number, number, number, number, number]>> = {
  bt601: [76_309, 104_597, 25_675, 53_279, 132_201],
  bt709: [76_309, 117_489, 13_975, 34_925, 138_438],
};

/**
 * A frame as a smaller JPEG, for pictures that are made many times a second. Scaling and colours are computed here, at
 * once: sharp needs three to four times the processor time for them, because it knows no planar YUV. Only the encoder runs in the threads of
 * libvips, so the frame's buffer may be reused as soon as this returns.
 * @param width pixels; a frame is never enlarged
 */
export function toSmallJpeg(frame: FullFrame, width: number): Promise<Buffer> {
  const size = sizeOf(frame, width);
  const raw = { ...size, channels: 3 } as const;
  return sharp(toRgb(frame, size), { raw })
    .jpeg({ ...JPEG, quality: QUALITY })
    .toBuffer();
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf(frame: Size, wanted: number): Size {
  const width = Math.min(wanted, frame.width);
  return { width, height: Math.max(1, Math.round((frame.height * width) / frame.width)) };
}

/** Scales with the mean of four neighbours, and converts to rgb24. */
export function toRgb(frame: FullFrame, { width, height }: Size): Uint8Array {
  const { width: fromWidth, height: fromHeight, data } = frame;
  const [ofY, redOfV, greenOfU, greenOfV, blueOfU] = FACTORS[frame.colourMatrix];
  const chromaWidth = fromWidth / 2;
  const firstU = fromWidth * fromHeight;
  const firstV = firstU + chromaWidth * (fromHeight / 2);
  // At full size, and enlarged, the neighbour is the pixel itself.
  const step = width < fromWidth ? 1 : 0;
  const columns = Int32Array.from({ length: width }, (_, x) =>
    Math.min(fromWidth - 2, Math.floor(((x + 0.5) * fromWidth) / width)),
  );
  if (width === fromWidth) for (let x = 0; x < width; x++) columns[x] = x;
  const rgb = new Uint8ClampedArray(width * height * 3);
  let at = 0;
  for (let y = 0; y < height; y++) {
    const row = Math.min(fromHeight - 1 - step, Math.floor(((y + 0.5) * fromHeight) / height));
    const upper = row * fromWidth;
    const lower = upper + step * fromWidth;
    const chroma = (row >> 1) * chromaWidth;
    for (const column of columns) {
      const next = column + step;
      const sum = data[upper + column]! + data[upper + next]! + data[lower + column]! + data[lower + next]!;
      const luma = ((sum >> 2) - 16) * ofY + 32_768;
      const u = data[firstU + chroma + (column >> 1)]! - 128;
      const v = data[firstV + chroma + (column >> 1)]! - 128;
      rgb[at] = (luma + v * redOfV) >> 16;
      rgb[at + 1] = (luma - u * greenOfU - v * greenOfV) >> 16;
      rgb[at + 2] = (luma + u * blueOfU) >> 16;
      at += 3;
    }
  }
  return new Uint8Array(rgb.buffer);
}

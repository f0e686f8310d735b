import sharp from 'sharp';
import type { Box } from '../../vision/types.ts';

/**
 * A drawing with transparent surroundings, stored for fast drawing: runs of opaque pixels, and the few half-transparent
 * pixels at its edges. Offsets are pixels from the anchor.
 */
export interface Sprite {
  /** Triples: row offset, column offset, count. Their pixels are in `solid`. */
  readonly runs: Int16Array;
  /** rgb */
  readonly solid: Uint8Array;
  /** Pairs: row offset, column offset. */
  readonly edges: Int16Array;
  /** Per edge pixel: premultiplied rgb and 255 - alpha. */
  readonly blend: Uint8Array;
  /** Of the pixels that are at least half opaque, relative to the anchor; right and bottom exclusive. */
  readonly box: Box;
  readonly bytes: number;
}

export interface Canvas {
  /** rgb24 */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The pixel of a drawing that is placed at a point of the frame. */
export interface Anchor {
  readonly column: number;
  /** `'sole'`: the lower edge of the drawing. */
  readonly row: number | 'sole';
}

const OPAQUE = 250;
const FAINT = 4;

/** @param svg with a viewBox of the aspect ratio of `size` (pixels) */
export async function rasterise(
  svg: string,
  size: { readonly width: number; readonly height: number },
  anchor: Anchor,
): Promise<Sprite> {
  const sized = svg.replace('<svg ', `<svg width="${size.width}" height="${size.height}" `);
  const { data, info } = await sharp(Buffer.from(sized))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return fromPixels(data, info.width, anchor);
}

function fromPixels(rgba: Uint8Array, width: number, anchor: Anchor): Sprite {
  const height = rgba.length / 4 / width;
  // Large enough for any drawing; cut to their length below.
  const [runs, edges] = [new Int16Array(rgba.length), new Int16Array(rgba.length)];
  const [solid, blend] = [new Uint8Array(rgba.length), new Uint8Array(rgba.length)];
  const box = boxOf(rgba, width);
  const row = anchor.row === 'sole' ? box.bottom : anchor.row;
  let [run, pixel, edge, mix] = [-3, 0, 0, 0];
  for (let y = 0, at = 0; y < height; y++) {
    let running = false;
    for (let x = 0; x < width; x++, at += 4) {
      const alpha = rgba[at + 3]!;
      const opaque = alpha >= OPAQUE;
      if (opaque) {
        if (!running) {
          run += 3;
          runs[run] = y - row;
          runs[run + 1] = x - anchor.column;
        }
        runs[run + 2]!++;
        for (let c = 0; c < 3; c++) solid[pixel++] = rgba[at + c]!;
      } else if (alpha > FAINT) {
        edges[edge++] = y - row;
        edges[edge++] = x - anchor.column;
        for (let c = 0; c < 3; c++) blend[mix++] = (rgba[at + c]! * alpha) / 255;
        blend[mix++] = 255 - alpha;
      }
      running = opaque;
    }
  }
  const parts = {
    runs: runs.slice(0, run + 3),
    solid: solid.slice(0, pixel),
    edges: edges.slice(0, edge),
    blend: blend.slice(0, mix),
  };
  return {
    ...parts,
    box: {
      left: box.left - anchor.column,
      top: box.top - row,
      right: box.right - anchor.column,
      bottom: box.bottom - row,
    },
    bytes: Object.values(parts).reduce((sum, { byteLength }) => sum + byteLength, 0),
  };
}

function boxOf(rgba: Uint8Array, width: number): Box {
  const height = rgba.length / 4 / width;
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0, at = 3; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      if (rgba[at]! < 128) continue;
      if (x < box.left) box.left = x;
      if (x >= box.right) box.right = x + 1;
      if (y < box.top) box.top = y;
      box.bottom = y + 1;
    }
  }
  return box;
}

/** Draws a sprite with its anchor at (x, y), whole pixels; parts outside the canvas are left out. */
export function blit(canvas: Canvas, sprite: Sprite, x: number, y: number): void {
  const { pixels, width, height } = canvas;
  const { runs, solid, edges, blend } = sprite;
  let from = 0;
  for (let i = 0; i < runs.length; i += 3) {
    const row = y + runs[i]!;
    const start = x + runs[i + 1]!;
    const count = runs[i + 2]!;
    const next = from + count * 3;
    if (row >= 0 && row < height) {
      const skip = start < 0 ? -start : 0;
      const take = Math.min(count, width - start);
      let source = from + skip * 3;
      const end = from + take * 3;
      let to = (row * width + start + skip) * 3;
      while (source < end) pixels[to++] = solid[source++]!;
    }
    from = next;
  }
  for (let i = 0, p = 0; i < edges.length; i += 2, p += 4) {
    const row = y + edges[i]!;
    const column = x + edges[i + 1]!;
    if (row < 0 || row >= height || column < 0 || column >= width) continue;
    const to = (row * width + column) * 3;
    const rest = blend[p + 3]!;
    // (v * rest + 128) >> 8 approximates a division by 255, with an error of at most one.
    pixels[to] = blend[p]! + ((pixels[to]! * rest + 128) >> 8);
    pixels[to + 1] = blend[p + 1]! + ((pixels[to + 1]! * rest + 128) >> 8);
    pixels[to + 2] = blend[p + 2]! + ((pixels[to + 2]! * rest + 128) >> 8);
  }
}

import sharp from 'sharp';

/**
 * A picture with transparent surroundings, kept as what is needed to draw it: runs of opaque pixels, and the
 * few half-transparent ones at its edges. Offsets are pixels from the anchor.
 */
export interface Sprite {
  /** Triples: row offset, column offset, count; their pixels follow each other in `solid`. */
  readonly runs: Int16Array;
  /** rgb */
  readonly solid: Uint8Array;
  /** Pairs: row offset, column offset. */
  readonly edges: Int16Array;
  /** Per edge pixel: premultiplied rgb and 255 - alpha. */
  readonly blend: Uint8Array;
  /** Of what is at least half opaque, relative to the anchor; right and bottom exclusive. */
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  readonly bytes: number;
}

export interface Canvas {
  /** rgb24 */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const OPAQUE = 250;
const FAINT = 4;

/**
 * @param svg with a viewBox of the given proportions
 * @param size in pixels
 * @param anchor column of the anchor; its row is the lower edge of what is drawn (`'sole'`) or a fixed row
 */
export async function rasterise(
  svg: string,
  size: { readonly width: number; readonly height: number },
  anchor: { readonly column: number; readonly row: number | 'sole' },
): Promise<Sprite> {
  const sized = svg.replace('<svg ', `<svg width="${size.width}" height="${size.height}" `);
  const { data, info } = await sharp(Buffer.from(sized))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return fromPixels(data, info.width, anchor);
}

function fromPixels(
  rgba: Uint8Array,
  width: number,
  anchor: { readonly column: number; readonly row: number | 'sole' },
): Sprite {
  const height = rgba.length / 4 / width;
  const runs: number[] = [];
  const solid: number[] = [];
  const edges: number[] = [];
  const blend: number[] = [];
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y++) {
    let run = -1;
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const [r, g, b, a] = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!, rgba[at + 3]!];
      if (a >= 128) {
        box.left = Math.min(box.left, x);
        box.right = Math.max(box.right, x + 1);
        box.top = Math.min(box.top, y);
        box.bottom = y + 1;
      }
      if (a >= OPAQUE) {
        if (run < 0) run = runs.push(y, x, 0) - 1;
        runs[run]!++;
        solid.push(r, g, b);
        continue;
      }
      run = -1;
      if (a <= FAINT) continue;
      edges.push(y, x);
      blend.push((r * a) / 255, (g * a) / 255, (b * a) / 255, 255 - a);
    }
  }
  const { column } = anchor;
  const row = anchor.row === 'sole' ? box.bottom : anchor.row;
  const shifted = (values: number[], stride: number) =>
    Int16Array.from(values, (v, i) => (i % stride === 0 ? v - row : i % stride === 1 ? v - column : v));
  const sprite = {
    runs: shifted(runs, 3),
    solid: Uint8Array.from(solid),
    edges: shifted(edges, 2),
    blend: Uint8Array.from(blend),
    box: { left: box.left - column, top: box.top - row, right: box.right - column, bottom: box.bottom - row },
  };
  const bytes =
    sprite.runs.byteLength + sprite.solid.byteLength + sprite.edges.byteLength + sprite.blend.byteLength;
  return { ...sprite, bytes };
}

/** Draws a sprite with its anchor at (x, y), whole pixels; what lies outside the canvas is left out. */
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
    // (v * rest + 128) >> 8 stands in for a division by 255: off by one at most, unseen.
    pixels[to] = blend[p]! + ((pixels[to]! * rest + 128) >> 8);
    pixels[to + 1] = blend[p + 1]! + ((pixels[to + 1]! * rest + 128) >> 8);
    pixels[to + 2] = blend[p + 2]! + ((pixels[to + 2]! * rest + 128) >> 8);
  }
}

import type { Point, Polygon } from '../../vision/types.ts';

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of a row that polygons cover, `to` excluded. */
export interface Span {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}
type Spans = readonly Span[];

const known = new WeakMap<readonly Polygon[], Map<string, Spans>>();

/**
 * The pixels that polygons cover in a picture of this size, also in part, and the pixels within `margin` of them. The last
 * results are kept with the list of polygons.
 */
export function spansOf(polygons: readonly Polygon[], size: Size, margin: number): Spans {
  const sizes = known.get(polygons) ?? new Map<string, Spans>();
  known.set(polygons, sizes);
  const key = [size.width, size.height, margin].join();
  const spans = sizes.get(key) ?? makeSpans(polygons, { ...size, margin });
  sizes.set(key, spans);
  return spans;
}

function makeSpans(
  polygons: readonly Polygon[],
  { width, height, margin }: Size & { margin: number },
): Spans {
  const covered = new Uint8Array(width * height);
  for (const { points } of polygons) {
    const ring = points.map(([x, y]): Point => [x * width, y * height]);
    const ys = ring.map(([, y]) => y);
    const first = Math.max(0, Math.floor(Math.min(...ys) - margin) - 1);
    const last = Math.min(height - 1, Math.ceil(Math.max(...ys) + margin));
    for (let row = first; row <= last; row++) {
      const pixels = covered.subarray(row * width, (row + 1) * width);
      coverRow(ring, row, margin, (from, to) => {
        pixels.fill(1, Math.max(0, Math.floor(from - margin)), Math.max(0, Math.ceil(to + margin)));
      });
    }
  }
  const spans: Span[] = [];
  for (let row = 0; row < height; row++) {
    const pixels = covered.subarray(row * width, (row + 1) * width);
    for (let from = pixels.indexOf(1); from >= 0; ) {
      const end = pixels.indexOf(0, from);
      const to = end < 0 ? width : end;
      spans.push({ row, from, to });
      from = to < width ? pixels.indexOf(1, to) : -1;
    }
  }
  return spans;
}

/**
 * What a polygon covers between the upper and the lower edge of a row and its margin: the inside at the middle of the row,
 * and each of its edges, because from any other covered place an edge lies between it and the middle.
 */
function coverRow(
  ring: readonly Point[],
  row: number,
  margin: number,
  cover: (from: number, to: number) => void,
): void {
  const [top, middle, bottom] = [row - margin, row + 0.5, row + 1 + margin];
  const crossings: number[] = [];
  let from = ring.at(-1);
  for (const to of ring) {
    if (!from) return;
    const isDown = from[1] <= to[1];
    const [x0, y0] = isDown ? from : to;
    const [x1, y1] = isDown ? to : from;
    from = to;
    if (y0 > bottom || y1 < top) continue;
    if (y0 === y1) {
      cover(Math.min(x0, x1), Math.max(x0, x1));
      continue;
    }
    const slope = (x1 - x0) / (y1 - y0);
    const a = x0 + slope * (Math.max(y0, top) - y0);
    const b = x0 + slope * (Math.min(y1, bottom) - y0);
    cover(Math.min(a, b), Math.max(a, b));
    if (y0 <= middle && y1 > middle) crossings.push(x0 + slope * (middle - y0));
  }
  let entered: number | null = null;
  for (const x of crossings.sort((a, b) => a - b)) {
    if (entered !== null) cover(entered, x);
    entered = entered === null ? x : null;
  }
}

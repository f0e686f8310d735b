import type { Point, Polygon } from '../../vision/types.ts';

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Rows of pixels that polygons cover: `row, from, to` one after the other, `to` excluded. */
export type Spans = Int32Array;

const known = new WeakMap<readonly Polygon[], Map<string, Spans>>();

/**
 * The pixels that polygons cover in a picture of this size, also in part, and the pixels within `margin` of them. The last
 * results are kept with the list of polygons.
 */
export function spansOf(polygons: readonly Polygon[], size: Size, margin: number): Spans {
  const sizes = known.get(polygons) ?? new Map<string, Spans>();
  known.set(polygons, sizes);
  const key = `${size.width}x${size.height}+${margin}`;
  const spans = sizes.get(key) ?? makeSpans(polygons, size, margin);
  sizes.set(key, spans);
  return spans;
}

type Interval = [from: number, to: number];

function makeSpans(polygons: readonly Polygon[], { width, height }: Size, margin: number): Spans {
  const rings = polygons.map(({ points }) => points.map(([x, y]): Point => [x * width, y * height]));
  const spans: number[] = [];
  for (let row = 0; row < height; row++) {
    const found = rings.flatMap((ring) => intervalsOf(ring, row, margin));
    for (const [from, to] of merged(found, width)) spans.push(row, from, to);
  }
  return Int32Array.from(spans);
}

/**
 * What a polygon covers between the upper and the lower edge of a row and its margin: the inside at the middle of the row,
 * and each of its edges, because from any other covered place an edge lies between it and the middle.
 */
function intervalsOf(ring: readonly Point[], row: number, margin: number): Interval[] {
  const [top, middle, bottom] = [row - margin, row + 0.5, row + 1 + margin];
  const intervals: Interval[] = [];
  const crossings: number[] = [];
  let from = ring[ring.length - 1]!;
  for (const to of ring) {
    const [upper, lower] = from[1] <= to[1] ? [from, to] : [to, from];
    if (upper[1] <= bottom && lower[1] >= top) {
      const at = (y: number) =>
        upper[1] === lower[1]
          ? upper[0]
          : upper[0] + ((y - upper[1]) / (lower[1] - upper[1])) * (lower[0] - upper[0]);
      const ends =
        upper[1] === lower[1]
          ? [from[0], to[0]]
          : [at(Math.max(upper[1], top)), at(Math.min(lower[1], bottom))];
      intervals.push(around(Math.min(...ends), Math.max(...ends), margin));
      if (upper[1] <= middle && lower[1] > middle) crossings.push(at(middle));
    }
    from = to;
  }
  crossings.sort((a, b) => a - b);
  for (let at = 0; at + 1 < crossings.length; at += 2)
    intervals.push(around(crossings[at]!, crossings[at + 1]!, margin));
  return intervals;
}

const around = (from: number, to: number, margin: number): Interval => [
  Math.floor(from - margin),
  Math.ceil(to + margin),
];

/** Intervals that do not overlap, within a row of pixels. */
function merged(intervals: readonly Interval[], width: number): Interval[] {
  const result: Interval[] = [];
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    const clipped: Interval = [Math.max(0, from), Math.min(width, to)];
    if (clipped[0] >= clipped[1]) continue;
    if (last && clipped[0] <= last[1]) last[1] = Math.max(last[1], clipped[1]);
    else result.push(clipped);
  }
  return result;
}

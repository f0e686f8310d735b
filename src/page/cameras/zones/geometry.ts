/** A place in the picture: 0-1 from the left and from the top. */
export type Point = readonly [x: number, y: number];

/** Where two points are on the screen, in shares of the picture: `x` of its width, `y` of its height. */
export interface Reach {
  readonly x: number;
  readonly y: number;
}

/** Error of coordinates of 0-1: a point nearer to an edge than this lies on it. The API has the same number. */
const ON_EDGE = 1e-9;

/** Smallest area of a polygon, in shares of the picture. The API has the same number. */
export const SMALLEST_AREA = 1e-4;

export const FEWEST_POINTS = 3;
export const MOST_POINTS = 20;

/** Why the API would refuse a polygon. Edges and points are counted from 0. */
export type PolygonFault =
  | { readonly kind: 'tooFew' | 'tooMany' | 'outside' | 'tooSmall' }
  | { readonly kind: 'samePoints' | 'crossing'; readonly first: number; readonly second: number };

/** Twice the signed area of the triangle a, b, c: which side of a→b the point c lies on. */
const side = (a: Point, b: Point, c: Point): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

function isOnSegment(from: Point, to: Point, point: Point): boolean {
  const [x, y] = point;
  if (x < Math.min(from[0], to[0]) - ON_EDGE || x > Math.max(from[0], to[0]) + ON_EDGE) return false;
  if (y < Math.min(from[1], to[1]) - ON_EDGE || y > Math.max(from[1], to[1]) + ON_EDGE) return false;
  return Math.abs(side(from, to, point)) <= ON_EDGE * Math.hypot(to[0] - from[0], to[1] - from[1]);
}

/** Whether two closed segments share a point. */
function segmentsMeet([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean {
  const [c1, c2] = [Math.sign(side(a, b, c)), Math.sign(side(a, b, d))];
  const [a1, a2] = [Math.sign(side(c, d, a)), Math.sign(side(c, d, b))];
  if (c1 * c2 < 0 && a1 * a2 < 0) return true;
  return isOnSegment(a, b, c) || isOnSegment(a, b, d) || isOnSegment(c, d, a) || isOnSegment(c, d, b);
}

/** Neighbouring edges share a corner; they overlap only if the second runs back along the first. */
const foldsBack = (a: Point, corner: Point, b: Point): boolean =>
  isOnSegment(a, corner, b) || isOnSegment(corner, b, a);

function edgesCross(points: readonly Point[], i: number, j: number): boolean {
  const count = points.length;
  const at = (index: number): Point => points[index % count]!;
  if (j === i + 1) return foldsBack(at(i), at(j), at(j + 1));
  if (i === 0 && j === count - 1) return foldsBack(at(j), at(0), at(1));
  return segmentsMeet([at(i), at(i + 1)], [at(j), at(j + 1)]);
}

/** In shares of the picture. */
export function polygonArea(points: readonly Point[]): number {
  let doubled = 0;
  let from = points.at(-1);
  for (const to of points) {
    if (from) doubled += from[0] * to[1] - to[0] * from[1];
    from = to;
  }
  return Math.abs(doubled) / 2;
}

/** What is wrong with a polygon; null for one that the API accepts. */
export function polygonFault(points: readonly Point[]): PolygonFault | null {
  const count = points.length;
  if (points.some((point) => point.some((share) => !(share >= 0 && share <= 1)))) return { kind: 'outside' };
  if (count < FEWEST_POINTS) return { kind: 'tooFew' };
  if (count > MOST_POINTS) return { kind: 'tooMany' };
  for (let first = 0; first < count; first++) {
    const second = (first + 1) % count;
    const [a, b] = [points[first]!, points[second]!];
    if (a[0] === b[0] && a[1] === b[1]) return { kind: 'samePoints', first, second };
  }
  for (let first = 0; first < count; first++) {
    for (let second = first + 1; second < count; second++) {
      if (edgesCross(points, first, second)) return { kind: 'crossing', first, second };
    }
  }
  return polygonArea(points) < SMALLEST_AREA ? { kind: 'tooSmall' } : null;
}

/** Whether a point is inside a polygon or on its edge, as the service decides it. */
export function contains(points: readonly Point[], point: Point): boolean {
  const [x, y] = point;
  let inside = false;
  let from = points.at(-1);
  for (const to of points) {
    if (from) {
      if (isOnSegment(from, to, point)) return true;
      if (to[1] > y !== from[1] > y) {
        const crossing = to[0] + ((y - to[1]) / (from[1] - to[1])) * (from[0] - to[0]);
        if (x < crossing) inside = !inside;
      }
    }
    from = to;
  }
  return inside;
}

/** Digits of a share that are kept of what somebody draws: less than half a pixel of a picture 4,000 pixels wide. */
const DIGITS = 1e4;

const inPicture = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * DIGITS) / DIGITS;

/** The nearest place inside the picture, rounded. */
export const placed = ([x, y]: Point): Point => [inPicture(x), inPicture(y)];

export const middleOf = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

/** The nearest place on a segment, measured on the screen. */
export function nearestOnSegment(point: Point, [from, to]: readonly [Point, Point], reach: Reach): Point {
  const [dx, dy] = [(to[0] - from[0]) / reach.x, (to[1] - from[1]) / reach.y];
  const length = dx * dx + dy * dy;
  if (length === 0) return from;
  const along = (((point[0] - from[0]) / reach.x) * dx + ((point[1] - from[1]) / reach.y) * dy) / length;
  const share = Math.min(1, Math.max(0, along));
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

/** Distance on the screen; 1 is the length of the reach. */
export const distance = (a: Point, b: Point, reach: Reach): number =>
  Math.hypot((a[0] - b[0]) / reach.x, (a[1] - b[1]) / reach.y);

/** Edges of a closed polygon. */
export const edgesOf = (points: readonly Point[]): readonly (readonly [Point, Point])[] =>
  points.map((point, at) => [point, points[(at + 1) % points.length]!] as const);

/**
 * The nearest corner of other polygons, else the nearest place on their edges or on the edge of the picture, if one is
 * within reach. So zones lie beside each other without a gap, and reach the edge of the picture.
 */
export function snapped(point: Point, others: readonly (readonly Point[])[], reach: Reach): Point {
  const nearest = (places: readonly Point[]): Point | null => {
    let found: Point | null = null;
    let least = 1;
    for (const place of places) {
      const away = distance(point, place, reach);
      if (away <= least) [found, least] = [place, away];
    }
    return found;
  };
  const corner = nearest([...others.flat(), [0, 0], [1, 0], [1, 1], [0, 1]]);
  if (corner) return corner;
  const onEdges = others.flatMap((points) =>
    edgesOf(points).map((edge) => nearestOnSegment(point, edge, reach)),
  );
  const onFrame: Point[] = [
    [0, point[1]],
    [1, point[1]],
    [point[0], 0],
    [point[0], 1],
  ];
  return placed(nearest([...onEdges, ...onFrame]) ?? point);
}

/** Number of horizontal lines over the height of a polygon. */
const LINES = 200;

/** Share of a polygon that another one covers, 0-1, as the API measures it. Both polygons are valid. */
function coveredShare(points: readonly Point[], cover: readonly Point[]): number {
  const top = Math.min(...points.map(([, y]) => y));
  const bottom = Math.max(...points.map(([, y]) => y));
  let own = 0;
  let covered = 0;
  for (let line = 0; line < LINES; line++) {
    const y = top + ((line + 0.5) / LINES) * (bottom - top);
    const others = spans(cover, y);
    for (const [from, to] of spans(points, y)) {
      own += to - from;
      for (const [start, end] of others) covered += Math.max(0, Math.min(to, end) - Math.max(from, start));
    }
  }
  return own === 0 ? 0 : covered / own;
}

/** The parts of a horizontal line that lie in a polygon. */
function spans(points: readonly Point[], y: number): [from: number, to: number][] {
  const crossings = edgesOf(points)
    .flatMap(([[x, fromY], [toX, toY]]) =>
      fromY > y === toY > y ? [] : [x + ((y - fromY) / (toY - fromY)) * (toX - x)],
    )
    .sort((a, b) => a - b);
  return crossings.flatMap((from, i) => (i % 2 === 0 ? [[from, crossings[i + 1]!] as [number, number]] : []));
}

/** What may be left out of a polygon that is covered whole. The API has the same number. */
const LEFT_OUT = 0.05;

/** Whether a polygon covers another one whole, but for a twentieth. Both polygons are valid. */
export const coversWhole = (points: readonly Point[], cover: readonly Point[]): boolean =>
  coveredShare(points, cover) >= 1 - LEFT_OUT;

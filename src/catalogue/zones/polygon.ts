/** A place in the picture: 0-1 from the left and from the top. */
export type Point = readonly [x: number, y: number];

/** Error of coordinates of 0-1: a point nearer to an edge than this lies on it. */
const ON_EDGE = 1e-9;

/** A polygon prepared for many points; its corners may go round either way. */
export class Area {
  readonly #edges: readonly Edge[];
  readonly #left: number;
  readonly #top: number;
  readonly #right: number;
  readonly #bottom: number;

  /** @param points of a valid polygon, see `polygonFault` */
  constructor(points: readonly Point[]) {
    this.#edges = edgesOf(points);
    this.#left = Math.min(...points.map(([x]) => x));
    this.#right = Math.max(...points.map(([x]) => x));
    this.#top = Math.min(...points.map(([, y]) => y));
    this.#bottom = Math.max(...points.map(([, y]) => y));
  }

  /** Whether a point is inside the polygon or on its edge. */
  contains([x, y]: Point): boolean {
    if (x < this.#left || x > this.#right || y < this.#top || y > this.#bottom) return false;
    let inside = false;
    for (const edge of this.#edges) {
      const from = edge[0];
      const to = edge[1];
      if (isOnSegment(from, to, x, y)) return true;
      // Half-open in y, so that a ray through a corner crosses one of its two edges, not both or none.
      if (to[1] > y !== from[1] > y) {
        const crossing = to[0] + ((y - to[1]) / (from[1] - to[1])) * (from[0] - to[0]);
        if (x < crossing) inside = !inside;
      }
    }
    return inside;
  }
}

/** Twice the signed area of the triangle a, b, c: which side of a→b the point c lies on. */
export const side = (a: Point, b: Point, c: Point): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

function isOnSegment(from: Point, to: Point, x: number, y: number): boolean {
  if (x < Math.min(from[0], to[0]) - ON_EDGE || x > Math.max(from[0], to[0]) + ON_EDGE) return false;
  if (y < Math.min(from[1], to[1]) - ON_EDGE || y > Math.max(from[1], to[1]) + ON_EDGE) return false;
  return Math.abs(side(from, to, [x, y])) <= ON_EDGE * Math.hypot(to[0] - from[0], to[1] - from[1]);
}

/** Whether two closed segments share a point. */
function segmentsMeet(a: Point, b: Point, c: Point, d: Point): boolean {
  const [c1, c2] = [Math.sign(side(a, b, c)), Math.sign(side(a, b, d))];
  const [a1, a2] = [Math.sign(side(c, d, a)), Math.sign(side(c, d, b))];
  if (c1 * c2 < 0 && a1 * a2 < 0) return true;
  return (
    isOnSegment(a, b, c[0], c[1]) ||
    isOnSegment(a, b, d[0], d[1]) ||
    isOnSegment(c, d, a[0], a[1]) ||
    isOnSegment(c, d, b[0], b[1])
  );
}

/** Area in shares of the frame. */
export function polygonArea(points: readonly Point[]): number {
  let doubled = 0;
  let from = points[points.length - 1];
  for (const to of points) {
    if (from) doubled += from[0] * to[1] - to[0] * from[1];
    from = to;
  }
  return Math.abs(doubled) / 2;
}

/** Share of the picture; hardly any foot point falls into a smaller polygon. */
export const SMALLEST_AREA = 1e-4;

export const FEWEST_POINTS = 3;
export const MOST_POINTS = 20;

/** Why a polygon is refused. Edges and points are counted from 0. */
export type PolygonFault =
  | { readonly kind: 'tooFew' | 'tooMany' | 'outside' | 'tooSmall' }
  | { readonly kind: 'samePoints' | 'crossing'; readonly first: number; readonly second: number };

/** What is wrong with a polygon; null for a valid one. */
export function polygonFault(points: readonly Point[]): PolygonFault | null {
  const count = points.length;
  if (points.some((point) => point.some((share) => !(share >= 0 && share <= 1)))) return { kind: 'outside' };
  if (count < FEWEST_POINTS) return { kind: 'tooFew' };
  if (count > MOST_POINTS) return { kind: 'tooMany' };
  const edges = [...edgesOf(points).entries()];
  for (const [first, [a, b]] of edges)
    if (a[0] === b[0] && a[1] === b[1]) return { kind: 'samePoints', first, second: (first + 1) % count };
  for (const [first, [a, b]] of edges) {
    for (const [second, [c, d]] of edges.slice(first + 1)) {
      const isNext = second === first + 1;
      const isBefore = first === 0 && second === count - 1;
      const crosses = isNext ? foldsBack(a, b, d) : isBefore ? foldsBack(c, a, b) : segmentsMeet(a, b, c, d);
      if (crosses) return { kind: 'crossing', first, second };
    }
  }
  return polygonArea(points) < SMALLEST_AREA ? { kind: 'tooSmall' } : null;
}

/** Neighbouring edges share a corner; they overlap only if the second runs back along the first. */
function foldsBack(a: Point, corner: Point, b: Point): boolean {
  return isOnSegment(a, corner, b[0], b[1]) || isOnSegment(corner, b, a[0], a[1]);
}

export type Edge = readonly [from: Point, to: Point];

/** The edges of a polygon, each from a corner to the next one. */
export const edgesOf = (points: readonly Point[]): Edge[] =>
  points.map((from, at) => [from, points[(at + 1) % points.length]!]);

/** How far a point is from the nearest edge of a polygon, in the unit of the points; inside too. */
export const distanceToEdge = (polygon: readonly Point[], point: Point): number =>
  Math.min(...edgesOf(polygon).map(([from, to]) => distanceToSegment(point, from, to)));

export function distanceToSegment([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((x - fromX) * dx + (y - fromY) * dy) / length;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - fromX - share * dx, y - fromY - share * dy);
}

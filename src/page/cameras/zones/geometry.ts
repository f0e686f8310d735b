import { edgesOf, type Point } from '../../../catalogue/zones/polygon.ts';

/** Where two points are on the screen, in shares of the picture: `x` of its width, `y` of its height. */
export interface Reach {
  readonly x: number;
  readonly y: number;
}

/** Digits of a share that are kept of what somebody draws: less than half a pixel of a picture 4,000 pixels wide. */
const DIGITS = 1e4;

const inPicture = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * DIGITS) / DIGITS;

/** The nearest place inside the picture, rounded. */
export const placed = ([x, y]: Point): Point => [inPicture(x), inPicture(y)];

export const middleOf = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

/** The mean of the corners. */
export const centreOf = (points: readonly Point[]): Point => {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return [mean(0), mean(1)];
};

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

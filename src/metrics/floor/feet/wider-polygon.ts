import { grouped } from '../../../catalogue/grouped.ts';
import {
  Area,
  distanceToSegment,
  edgesOf,
  MOST_POINTS,
  type Point,
  polygonFault,
  side,
} from '../../../catalogue/zones/polygon.ts';

/** A better polygon reaches so far beyond the points, in shares of the picture. */
const MARGIN = 0.012;

/**
 * A polygon around another one and points outside of it: each edge bulges out to the points next to it. Where such edges would
 * cross, the convex hull of everything.
 * @returns null where no valid polygon was found
 */
export function widened(polygon: readonly Point[], outside: readonly Point[]): Point[] | null {
  const area = new Area(polygon);
  const padded = outside.flatMap(([x, y]): Point[] => {
    const [left, right] = [inPicture(x - MARGIN), inPicture(x + MARGIN)];
    const [top, bottom] = [inPicture(y - MARGIN), inPicture(y + MARGIN)];
    return [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ];
  });
  const own = clockwise(polygon.map(([x, y]): Point => [inPicture(x), inPicture(y)]));
  const beyond = padded.filter((point) => !area.contains(point));
  const each = bulged(own, beyond);
  return (each && valid(each, [beyond, outside])) ?? valid(hull([...own, ...beyond]), [beyond, outside]);
}

/** @returns null where points next to an edge lie beyond its ends */
function bulged(polygon: readonly Point[], beyond: readonly Point[]): Point[] | null {
  const sides = edgesOf(polygon);
  const byEdge = grouped(beyond, (point) => {
    const away = sides.map(([from, to]) => distanceToSegment(point, from, to));
    return away.indexOf(Math.min(...away));
  });
  const edges = sides.map(([from, to], at) => {
    // The hull runs clockwise too, so that the way from one end of the edge to the other is the outer one.
    const around = hull([from, to, ...(byEdge.get(at) ?? [])]);
    const begin = around.indexOf(from);
    const chain = [...around.slice(begin), ...around.slice(0, begin)];
    // Otherwise points lie behind the edge or beyond its ends.
    return begin < 0 || chain.at(-1) !== to ? null : chain.slice(0, -1);
  });
  return edges.includes(null) ? null : edges.flatMap((edge) => edge ?? []);
}

/**
 * With at most as many corners as a zone may have. Corners go that are next to the line between their neighbours.
 * @param inside sets of points of which most must stay inside
 */
function valid(points: readonly Point[], inside: readonly (readonly Point[])[]): Point[] | null {
  let corners = edgesOf(points)
    .filter(([[x, y], [nextX, nextY]]) => x !== nextX || y !== nextY)
    .map(([corner]) => corner);
  while (corners.length > 3) {
    const heights = corners.map((corner, at) =>
      distanceToSegment(corner, corners.at(at - 1)!, corners[(at + 1) % corners.length]!),
    );
    const least = Math.min(...heights);
    if (corners.length <= MOST_POINTS && least > NEARLY_STRAIGHT) break;
    corners = corners.toSpliced(heights.indexOf(least), 1);
  }
  if (corners.length < 3 || polygonFault(corners) !== null) return null;
  const area = new Area(corners);
  const isIn = (set: readonly Point[]) =>
    set.filter((point) => !area.contains(point)).length <= MOST_MISSED * set.length;
  return inside.every(isIn) ? corners : null;
}

/** How far a corner that is none is from the line between its neighbours, in shares of the picture. */
const NEARLY_STRAIGHT = 0.004;
/** Share of the points, and of their margins, that may stay outside after corners are gone. */
const MOST_MISSED = 0.25;

const inPicture = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1e4) / 1e4;

function clockwise(points: readonly Point[]): readonly Point[] {
  const doubled = edgesOf(points).reduce((sum, [[x, y], [nextX, nextY]]) => sum + x * nextY - nextX * y, 0);
  return doubled > 0 ? points : points.toReversed();
}

const isBehind = (point: Point, [from, to]: readonly Point[]): boolean =>
  from !== undefined && to !== undefined && side(from, to, point) <= 0;

/** The convex hull, clockwise on the screen (Andrew's monotone chain). */
function hull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const half = (way: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of way) {
      while (isBehind(point, chain.slice(-2))) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

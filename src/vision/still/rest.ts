import { height } from '../geometry.ts';
import type { Box, Point } from '../types.ts';

/** What was found holds for so long while nothing changes … */
const REST_MS = 1_000;
/** … and for so long while somebody moves, is missed or near an edge of a zone. */
const SHORT_REST_MS = 400;
/** Slower than this somebody stands, in body heights a second: boxes tremble. */
const STANDS = 0.2;
/** Nearer than this to an edge of a zone, in body heights, a box that trembles is inside or outside. */
const EDGE = 0.08;

/** Somebody whom the last frame shows, and how fast they move in body heights a second. */
export interface Shown {
  readonly box: Box;
  readonly pace: number;
}

/**
 * How long what was found of these people holds while nothing changes, in ms.
 * @param isMissing somebody was seen a moment ago and is not now @param outlines of the zones @param aspect width over height of the frame
 */
export function restMs(
  people: readonly Shown[],
  {
    isMissing,
    outlines,
    aspect,
  }: { isMissing: boolean; outlines: readonly (readonly Point[])[]; aspect: number },
): number {
  const isRestless = ({ box, pace }: Shown) => {
    const foot: Point = [(box.left + box.right) / 2, box.bottom];
    return (
      pace > STANDS || outlines.some((points) => edgeDistance(points, foot, aspect) < EDGE * height(box))
    );
  };
  return isMissing || people.some(isRestless) ? SHORT_REST_MS : REST_MS;
}

/** From a point to the nearest edge of a polygon, in shares of the height of the frame. */
export function edgeDistance(points: readonly Point[], [x, y]: Point, aspect: number): number {
  let least = Number.POSITIVE_INFINITY;
  let [fromX, fromY] = points.at(-1)!;
  for (const [toX, toY] of points) {
    const [dx, dy] = [(toX - fromX) * aspect, toY - fromY];
    const [px, py] = [(x - fromX) * aspect, y - fromY];
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length));
    least = Math.min(least, Math.hypot(px - along * dx, py - along * dy));
    [fromX, fromY] = [toX, toY];
  }
  return least;
}

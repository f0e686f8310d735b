import { distanceToEdge } from '../../catalogue/zones/polygon.ts';
import { footPoint, height } from '../geometry.ts';
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
  // In heights of the frame, in both directions.
  const inHeights = ([x, y]: Point): Point => [x * aspect, y];
  const zones = outlines.map((points) => points.map(inHeights));
  const isRestless = ({ box, pace }: Shown) => {
    const foot = inHeights(footPoint(box));
    return pace > STANDS || zones.some((points) => distanceToEdge(points, foot) < EDGE * height(box));
  };
  return isMissing || people.some(isRestless) ? SHORT_REST_MS : REST_MS;
}

import { z } from 'zod';
import {
  FEWEST_POINTS,
  MOST_POINTS,
  type Point,
  type PolygonFault,
  polygonFault,
  SMALLEST_AREA,
} from '../catalogue/zones/polygon.ts';

const FRACTION =
  'must be a fraction of the frame, 0-1. Divide pixels by the width or the height of the frame';
const coordinate = z.number().min(0, FRACTION).max(1, FRACTION);
const point = z.tuple([coordinate, coordinate], 'must be a point [x, y] like [0.25, 0.9]');

const ADVICE = 'draw it around the place where people stand';

/** The corners of a polygon, without the check of `refusePolygon`. */
export const cornersSchema = z
  .array(point)
  .min(FEWEST_POINTS)
  .max(MOST_POINTS)
  .describe('corners `[x, y]` in order, each value 0-1 (fraction of the frame)');

/** What is wrong with corners that the schema accepts; null for a polygon whose edges do not cross. */
export function refusePolygon(points: readonly (readonly number[])[], advice = ADVICE): string | null {
  const fault = polygonFault(points as Point[]);
  const reason = fault && sentence(fault, advice);
  return reason ? `Polygon refused: ${reason}` : null;
}

/** A polygon with 3-20 corners whose edges do not cross. @param advice what to do about one that is too small */
export const polygonOf = (advice = ADVICE) =>
  z.strictObject({ type: z.literal('polygon'), points: cornersSchema }).superRefine(({ points }, context) => {
    const message = refusePolygon(points, advice);
    if (message) context.addIssue({ code: 'custom', path: ['points'], message });
  });

/** @returns null for what the schema of the points says itself */
function sentence(fault: PolygonFault, advice: string): string | null {
  if (fault.kind === 'samePoints')
    return `points ${fault.first + 1} and ${fault.second + 1} are the same; give each corner once, the polygon closes by itself`;
  if (fault.kind === 'crossing')
    return `its edges ${fault.first + 1} and ${fault.second + 1} cross or touch; give the corners in order around it`;
  if (fault.kind !== 'tooSmall') return null;
  return `it covers less than ${SMALLEST_AREA * 100} % of the frame; ${advice}`;
}

/** Of a zone. */
export const polygonSchema = polygonOf();

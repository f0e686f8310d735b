import { z } from 'zod';
import type { Point } from './types.ts';
import { polygonFault } from './zones/polygon.ts';

const FRACTION =
  'must be a fraction of the frame, 0-1. Divide pixels by the width or the height of the frame';
const coordinate = z.number().min(0, FRACTION).max(1, FRACTION);
const point = z.tuple([coordinate, coordinate], 'must be a point [x, y] like [0.25, 0.9]');

/** A polygon with 3-20 corners whose edges do not cross. @param advice what to do about one that is too small */
export const polygonOf = (advice?: string) =>
  z
    .strictObject({
      type: z.literal('polygon'),
      points: z
        .array(point)
        .min(3)
        .max(20)
        .describe('corners `[x, y]` in order, each value 0-1 (fraction of the frame)'),
    })
    .superRefine(({ points }, context) => {
      const fault = polygonFault(points as Point[], advice);
      if (fault) context.addIssue({ code: 'custom', path: ['points'], message: `Polygon refused: ${fault}` });
    });

/** Of a zone. */
export const polygonSchema = polygonOf();

import { z } from 'zod';
import type { Point } from './types.ts';
import { polygonFault } from './zones/polygon.ts';

const FRACTION =
  'must be a fraction of the picture, 0-1. Divide pixels by the width or the height of the picture';
const coordinate = z.number().min(0, FRACTION).max(1, FRACTION);
const point = z.tuple([coordinate, coordinate], 'must be a point [x, y] like [0.25, 0.9]');

export const polygonSchema = z
  .strictObject({
    type: z.literal('polygon'),
    points: z
      .array(point)
      .min(3)
      .max(20)
      .describe('corners `[x, y]` in order, each value 0-1 (fraction of the frame)'),
  })
  .superRefine(({ points }, context) => {
    const fault = polygonFault(points as Point[]);
    if (fault) context.addIssue({ code: 'custom', path: ['points'], message: `Polygon refused: ${fault}` });
  });

const ONE_ZONE_AT_LEAST = 'must hold queueZone, checkoutZone or both';

export const zonesSchema = z
  .strictObject(
    { queueZone: polygonSchema.optional(), checkoutZone: polygonSchema.optional() },
    { error: ({ code }) => (code === 'invalid_type' ? ONE_ZONE_AT_LEAST : undefined) },
  )
  .refine((zones) => zones.queueZone !== undefined || zones.checkoutZone !== undefined, ONE_ZONE_AT_LEAST);

const seconds = (defaultValue: number) => z.number().min(1).max(60).default(defaultValue);

export const parametersSchema = z.strictObject({
  confidenceThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.6)
    .describe(
      'score an object needs to be followed at all: the probability that it is one, where the detector’s scores are probabilities',
    ),
  class: z.enum(['person', 'vehicle']).default('person').describe('what is counted'),
  entryThresholdSeconds: seconds(3).describe('seconds inside a zone before it counts as entered'),
  exitThresholdSeconds: seconds(1).describe('seconds outside a zone before it counts as left'),
  trackingMaxAgeSeconds: seconds(5).describe('seconds somebody may be hidden before being given up'),
});

/** `config` of a scene: `{ zones, parameters }` with the ranges and defaults of the specification. */
export const sceneConfigSchema = z.strictObject({
  zones: zonesSchema,
  parameters: parametersSchema.prefault({}),
});

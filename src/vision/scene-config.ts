import { z } from 'zod';
import { coversWhole } from '../catalogue/zones/cover.ts';
import { polygonSchema } from './polygon-schema.ts';
import { privacyMaskSchema } from './privacy.ts';
import { queueFeedsSchema, tillFaults, tillsSchema } from './tills/till-schema.ts';
import type { Point } from './types.ts';

const ONE_ZONE_AT_LEAST = 'must hold queueZone, checkoutZone or both';

export const zonesSchema = z
  .strictObject(
    {
      queueZone: polygonSchema.optional(),
      checkoutZone: polygonSchema.optional(),
      staffZone: polygonSchema.optional(),
      tills: tillsSchema.optional(),
      queueFeeds: queueFeedsSchema.optional(),
    },
    { error: ({ code }) => (code === 'invalid_type' ? ONE_ZONE_AT_LEAST : undefined) },
  )
  .superRefine(({ queueZone, checkoutZone, staffZone, tills, queueFeeds }, context) => {
    const fail = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const faults = tillFaults({ tills, queueFeeds, hasQueue: queueZone !== undefined });
    for (const { path, message } of faults) fail(path, message);
    if (!queueZone && !checkoutZone && !tills) {
      fail([], staffZone ? `${ONE_ZONE_AT_LEAST} beside staffZone, which counts nobody` : ONE_ZONE_AT_LEAST);
    }
    const counting = [
      ...Object.entries({ queueZone, checkoutZone }),
      ...(tills ?? []).map((till) => [`till "${till.name}"`, till] as const),
    ];
    for (const [name, zone] of counting) {
      // All people in it would be staff.
      if (!zone || !staffZone || !coversWhole(zone.points as Point[], staffZone.points as Point[])) continue;
      fail(
        ['staffZone'],
        `covers the whole ${name}, so customers there would be taken for staff: draw it around the place of the staff alone`,
      );
    }
  });

const seconds = (defaultValue: number) => z.number().min(1).max(60).default(defaultValue);

export const parametersSchema = z.strictObject({
  confidenceThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.6)
    .describe(
      'least score of an object that is counted. A score is a probability where the card of the detector has a score curve',
    ),
  class: z.enum(['person', 'vehicle']).default('person').describe('what is counted'),
  entryThresholdSeconds: seconds(3).describe('seconds inside a zone before it counts as entered'),
  exitThresholdSeconds: seconds(1).describe('seconds outside a zone before it counts as left'),
  trackingMaxAgeSeconds: seconds(5).describe(
    'seconds without a detection after which a person counts as gone',
  ),
});

/** `config` of a scene: `{ zones, parameters, privacyMask? }` with the ranges and defaults of the specification. */
export const sceneConfigSchema = z.strictObject({
  zones: zonesSchema,
  parameters: parametersSchema.prefault({}),
  privacyMask: privacyMaskSchema
    .optional()
    .describe(
      'polygons that are black in every picture of the device of this scene, at most 20; left out: none',
    ),
});

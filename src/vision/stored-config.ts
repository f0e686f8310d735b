import { z } from 'zod';
import { parametersSchema } from './scene-config.ts';

/** What rows have was checked when it was drawn: their readers check the shape alone, so that a stricter rule leaves old rows readable. */
const points = z.array(z.tuple([z.number(), z.number()]));
const polygon = z.object({ type: z.literal('polygon'), points });

/** The zones of a scene, or of a check at its start; of a recording none before its first analysis. */
export const storedZones = z.object({
  queueZone: polygon.optional(),
  checkoutZone: polygon.optional(),
  staffZone: polygon.optional(),
  tills: z
    .array(polygon.extend({ id: z.string(), name: z.string(), staffPoints: points.optional() }))
    .optional(),
  queueFeeds: z.object({ tillIds: z.array(z.string()) }).optional(),
});

export const storedMasks = z.array(polygon);

export const storedConfig = z.object({
  zones: storedZones.prefault({}),
  parameters: parametersSchema.prefault({}),
  privacyMask: storedMasks.optional(),
});

import type { z } from 'zod';
import { coversWhole } from '../../catalogue/zones/cover.ts';
import type { zonesSchema } from '../../vision/scene-config.ts';
import type { Point } from '../../vision/types.ts';
import type { scene } from './schema.ts';

type SceneWarnings = z.input<typeof scene>['warnings'];

/** What in the configuration of a scene will make its metrics wrong, although it is valid. */
export function sceneWarnings({ zones }: { readonly zones: z.output<typeof zonesSchema> }): SceneWarnings {
  const { queueZone, checkoutZone } = zones;
  if (!queueZone || !checkoutZone) return [];
  if (!coversWhole(checkoutZone.points as Point[], queueZone.points as Point[])) return [];
  const message =
    'The queue zone surrounds the checkout zone: who has been served walks out through the queue and may count as waiting again, and then as having given up. Draw the queue zone beside the checkout zone, only where people wait';
  return [{ reason: 'queue_around_checkout', message }];
}

import type { Warning } from '../../../cameras/devices/condition.ts';
import type { RunAdvice } from '../../../metrics/floor/feet/run-feet.ts';

const NAMES = { queueZone: 'queue', checkoutZone: 'checkout' } as const;

/** The warning of a scene beside whose zone people are often cut off. */
export const zoneWarning = (
  { zone, sinceMs }: RunAdvice,
  { sceneId, sceneName }: { readonly sceneId: string; readonly sceneName: string },
): Warning => ({
  reason: 'people_beside_zone',
  message: `People whose legs are hidden often stand just outside the ${NAMES[zone]} zone of “${sceneName}” and are not counted: open its zones, look at the proposed one, and take it if these are customers.`,
  sinceMs,
  sceneId,
});

import type { ZoneName } from '../catalogue/metrics/needed-zones.ts';
import type { Point, QueueZones } from './types.ts';

/** Whether people are served in the scene: in a checkout zone or at a till. */
export const hasCheckout = ({ checkoutZone, tills = [] }: QueueZones): boolean =>
  checkoutZone !== undefined || tills.length > 0;

/** Whether the scene has a zone; a till serves as the checkout zone does. */
export function hasZone(zones: QueueZones, name: ZoneName): boolean {
  if (name === 'checkoutZone') return hasCheckout(zones);
  return name === 'tills' ? (zones.tills ?? []).length > 0 : zones.queueZone !== undefined;
}

/** The corners of each polygon of a scene. */
export const outlinesOf = ({ queueZone, checkoutZone, staffZone, tills = [] }: QueueZones): Point[][] => [
  ...[queueZone, checkoutZone, staffZone].flatMap((zone) => (zone ? [[...zone.points]] : [])),
  ...tills.flatMap(({ points, staffPoints }) => [[...points], ...(staffPoints ? [[...staffPoints]] : [])]),
];

import type { Point, QueueZones } from './types.ts';

/** Whether people are served in the scene: in a checkout zone or at a till. */
export const hasCheckout = ({ checkoutZone, tills = [] }: QueueZones): boolean =>
  checkoutZone !== undefined || tills.length > 0;

/** Whether the scene has a zone; a till serves as the checkout zone does. */
export const hasZone = (zones: QueueZones, name: 'queueZone' | 'checkoutZone'): boolean =>
  name === 'checkoutZone' ? hasCheckout(zones) : zones.queueZone !== undefined;

/** The corners of each polygon of a scene. */
export const outlinesOf = ({ queueZone, checkoutZone, staffZone, tills = [] }: QueueZones): Point[][] => [
  ...[queueZone, checkoutZone, staffZone].flatMap((zone) => (zone ? [[...zone.points]] : [])),
  ...tills.flatMap(({ points, staffPoints }) => [[...points], ...(staffPoints ? [[...staffPoints]] : [])]),
];

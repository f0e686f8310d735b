import type { Polygon } from '../vision/types.ts';
import { type Ground, SHOP_VIEW, type View } from './camera.ts';
import { SLOTS } from './layout.ts';

const [first, , , middle, , , last] = SLOTS;

/** Outlines of the zones on the floor, in metres. */
export interface Outlines {
  readonly queue: readonly Ground[];
  readonly checkout: readonly Ground[];
}

export const ZONE_OUTLINES: Outlines = {
  queue: [
    { x: first.x - 0.9, z: first.z - 0.75 },
    { x: first.x + 0.65, z: first.z - 0.75 },
    { x: first.x + 0.65, z: first.z + 1.6 },
    { x: last.x + 0.95, z: last.z + 0.9 },
    { x: last.x - 0.9, z: last.z + 0.9 },
    { x: middle.x - 0.95, z: middle.z },
  ],
  checkout: [
    { x: 1.95, z: 6.6 },
    { x: 3.45, z: 6.6 },
    { x: 3.8, z: 9 },
    { x: 3.8, z: 11.1 },
    { x: 2.2, z: 11.1 },
    { x: 1.95, z: 8.6 },
  ],
};

const projected = (outline: readonly Ground[], view: View): Polygon => ({
  type: 'polygon',
  points: outline.map((at) => {
    const [x, y] = view.project(at);
    return [Math.round(x * 1e4) / 1e4, Math.round(y * 1e4) / 1e4];
  }),
});

/** Zones in the form of a scene. */
export const zonesIn = (
  { queue, checkout }: Outlines,
  view: View,
): Readonly<Record<'queueZone' | 'checkoutZone', Polygon>> => ({
  queueZone: projected(queue, view),
  checkoutZone: projected(checkout, view),
});

/** The zones of the simulated shop. */
export const SHOP_ZONES = zonesIn(ZONE_OUTLINES, SHOP_VIEW);

import type { Polygon, QueueZones } from '../vision/types.ts';
import { type Ground, project } from './camera.ts';
import { SLOTS } from './layout.ts';

const first = SLOTS[0]!;
const middle = SLOTS[3]!;
const last = SLOTS[SLOTS.length - 1]!;

/** Outlines of the zones on the floor, in metres. */
export const ZONE_OUTLINES: { readonly queue: readonly Ground[]; readonly checkout: readonly Ground[] } = {
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

const projected = (outline: readonly Ground[]): Polygon => ({
  type: 'polygon',
  points: outline.map((at) => {
    const [x, y] = project(at);
    return [Math.round(x * 1e4) / 1e4, Math.round(y * 1e4) / 1e4];
  }),
});

/** The zones of the simulated shop, in the form of a scene. */
export const SHOP_ZONES: QueueZones & { readonly queueZone: Polygon; readonly checkoutZone: Polygon } = {
  queueZone: projected(ZONE_OUTLINES.queue),
  checkoutZone: projected(ZONE_OUTLINES.checkout),
};

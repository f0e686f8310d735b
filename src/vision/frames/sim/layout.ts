import { type Ground, halfViewWidth } from './camera.ts';

/** The longest line; who finds it full walks on. */
export const LINE_CAPACITY = 8;

/**
 * The line comes towards the camera, a little askew to its view, so that each person half covers the next:
 * per place behind the first, metres sideways as the camera sees it. Further back there is more room,
 * because a small half-hidden person is more than a camera can be asked to tell.
 */
const SIDEWAYS_METRES = [0.56, 0.54, 0.17, 0.58, 0.58, 0.6, 0.6];
const PACE_METRES = 0.84;
const FRONT: Ground = { x: 1.05, z: 7.1 };

function placeSlots(): Ground[] {
  const slots = [FRONT];
  for (const sideways of SIDEWAYS_METRES) {
    const last = slots[slots.length - 1]!;
    const away = Math.atan2(last.x, last.z);
    slots.push({
      x: last.x + PACE_METRES * Math.sin(away) - sideways * Math.cos(away),
      z: last.z + PACE_METRES * Math.cos(away) + sideways * Math.sin(away),
    });
  }
  return slots;
}

/** Places in the line, the first one is next. */
export const SLOTS: readonly Ground[] = placeSlots();

/** What the first in line looks at, waiting to be called. */
export const LOOKOUT: Ground = { x: 1.75, z: 6.45 };

export interface Counter {
  readonly stand: Ground;
  /** Where its terminal stands: drawn, and what a customer faces. */
  readonly terminal: Ground;
  readonly exit: readonly Ground[];
}

export const COUNTERS: readonly Counter[] = [
  {
    stand: { x: 2.8, z: 7.4 },
    terminal: { x: 3.32, z: 6.78 },
    exit: [
      { x: 2.4, z: 5.4 },
      { x: 4.6, z: 5.1 },
    ],
  },
  {
    stand: { x: 2.95, z: 10.2 },
    terminal: { x: 3.45, z: 9.58 },
    exit: [
      { x: 3.4, z: 12.2 },
      { x: 8.2, z: 13.2 },
    ],
  },
];

/** A place just outside the picture at distance z, on the left (-1) or right (1). */
export const beyondEdge = (side: -1 | 1, z: number): Ground => ({ x: side * (halfViewWidth(z) + 0.9), z });

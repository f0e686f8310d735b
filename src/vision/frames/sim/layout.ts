import { type Ground, halfViewWidth } from './camera.ts';

/** The longest line; who finds it full walks on. */
export const LINE_CAPACITY = 8;

/**
 * The line comes towards the camera, a little askew to its view, so that each person half covers the next:
 * per place behind the first, metres sideways as the camera sees it. Further back there is more room,
 * because a small half-hidden person is more than a camera can be asked to tell.
 */
const SIDEWAYS_METRES = [0.22, 0.24, 0.26, 0.3, 0.36, 0.43, 0.5];
const PACE_METRES = 0.78;
const FRONT: Ground = { x: 0.95, z: 6.2 };

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
export const LOOKOUT: Ground = { x: 1.65, z: 5.55 };

export interface Counter {
  readonly stand: Ground;
  /** Where its terminal stands: drawn, and what a customer faces. */
  readonly terminal: Ground;
  /** From the head of the line to the terminal. */
  readonly approach: readonly Ground[];
  readonly exit: readonly Ground[];
}

export const COUNTERS: readonly Counter[] = [
  {
    stand: { x: 2.5, z: 6.5 },
    terminal: { x: 3.02, z: 5.88 },
    approach: [],
    exit: [
      { x: 2.1, z: 4.75 },
      { x: 4.4, z: 4.4 },
    ],
  },
  {
    stand: { x: 3.75, z: 8.7 },
    terminal: { x: 4.27, z: 8.08 },
    approach: [{ x: 2.3, z: 8.2 }],
    exit: [
      { x: 3.3, z: 10.6 },
      { x: 7.2, z: 11.2 },
    ],
  },
];

/** A place just outside the picture at distance z, on the left (-1) or right (1). */
export const beyondEdge = (side: -1 | 1, z: number): Ground => ({ x: side * (halfViewWidth(z) + 0.9), z });

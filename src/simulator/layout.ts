import { type Ground, halfViewWidth } from './camera.ts';

/** The line comes towards the camera askew to its view: each place behind the first is so far to the side. */
const SIDEWAYS_METRES = [0.62, 0.62, 0.62, 0.62, 0.64, 0.64];
/** Some keep close: the one before hides half of them. */
const CLOSE_SIDEWAYS_METRES = 0.17;
const PACE_METRES = 0.95;
const FRONT: Ground = { x: 1.05, z: 7.1 };

/** The place one pace behind `before` and, as the camera sees it, so far to its left. */
function behind(before: Ground, sidewaysMetres: number): Ground {
  const away = Math.atan2(before.x, before.z);
  return {
    x: before.x + PACE_METRES * Math.sin(away) - sidewaysMetres * Math.cos(away),
    z: before.z + PACE_METRES * Math.cos(away) + sidewaysMetres * Math.sin(away),
  };
}

function placeSlots(): Ground[] {
  const slots = [FRONT];
  for (const sideways of SIDEWAYS_METRES) slots.push(behind(slots[slots.length - 1]!, sideways));
  return slots;
}

/** Places in the line, the first one is next. */
export const SLOTS: readonly Ground[] = placeSlots();

/** The same places for those who keep close. */
const CLOSE_SLOTS: readonly Ground[] = SLOTS.map((slot, place) =>
  place === 0 ? slot : behind(SLOTS[place - 1]!, CLOSE_SIDEWAYS_METRES),
);

/** Where people stand in line. */
export interface LineLayout {
  /** The first one is next; who finds all taken walks on. */
  readonly slots: readonly Ground[];
  /** The same places for those who keep close. */
  readonly closeSlots: readonly Ground[];
}

export const CLASSIC_LINE: LineLayout = { slots: SLOTS, closeSlots: CLOSE_SLOTS };

/** So many places on the way of the line, as long as it is. */
const DENSE_PLACES = 11;

function onTheWay(places: readonly Ground[]): Ground[] {
  const most = places.length - 1;
  return Array.from({ length: DENSE_PLACES }, (_, place) => {
    const at = (place * most) / (DENSE_PLACES - 1);
    const from = places[Math.floor(at)]!;
    const to = places[Math.min(most, Math.floor(at) + 1)]!;
    const part = at - Math.floor(at);
    return { x: from.x + part * (to.x - from.x), z: from.z + part * (to.z - from.z) };
  });
}

/** A crowded line: about 0.7 m from one to the next. */
export const DENSE_LINE: LineLayout = { slots: onTheWay(SLOTS), closeSlots: onTheWay(CLOSE_SLOTS) };

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

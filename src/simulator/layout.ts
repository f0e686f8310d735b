import { type Ground, SHOP_VIEW } from './camera.ts';

/** The line runs at an angle to the camera: each position behind the first is so far to the side … */
const SIDEWAYS_METRES = 0.62;
/** … and the last two are farther. */
const FAR_SIDEWAYS_METRES = 0.64;
/** Some people stand closer: the person ahead covers half of them. */
const CLOSE_SIDEWAYS_METRES = 0.17;
const PACE_METRES = 0.95;
const FRONT: Ground = { x: 1.05, z: 7.1 };

/** The position one pace behind `before` and, in the camera's view, so far to its left. */
function behind(before: Ground, sidewaysMetres: number): Ground {
  const away = Math.atan2(before.x, before.z);
  return {
    x: before.x + PACE_METRES * Math.sin(away) - sidewaysMetres * Math.cos(away),
    z: before.z + PACE_METRES * Math.cos(away) + sidewaysMetres * Math.sin(away),
  };
}

const SECOND = behind(FRONT, SIDEWAYS_METRES);
const THIRD = behind(SECOND, SIDEWAYS_METRES);
const FOURTH = behind(THIRD, SIDEWAYS_METRES);
const FIFTH = behind(FOURTH, SIDEWAYS_METRES);
const SIXTH = behind(FIFTH, FAR_SIDEWAYS_METRES);
const LAST = behind(SIXTH, FAR_SIDEWAYS_METRES);

/** Positions in the line, the head of the line first. */
export const SLOTS = [FRONT, SECOND, THIRD, FOURTH, FIFTH, SIXTH, LAST] as const;

/** The same positions for people who stand closer. */
const CLOSE_SLOTS: readonly Ground[] = [
  FRONT,
  ...SLOTS.slice(0, -1).map((ahead) => behind(ahead, CLOSE_SIDEWAYS_METRES)),
];

/** Where people stand in line. */
export interface LineLayout {
  /** Head of the line first; a person who finds all taken walks on. */
  readonly slots: readonly Ground[];
  /** The same positions for people who stand closer. */
  readonly closeSlots: readonly Ground[];
}

export const CLASSIC_LINE: LineLayout = { slots: SLOTS, closeSlots: CLOSE_SLOTS };

/** Number of positions in a crowded line of the same length. */
const DENSE_PLACES = 11;

/** Points at equal distances along a line. */
function spreadAlong(places: readonly Ground[]): Ground[] {
  const most = places.length - 1;
  return Array.from({ length: DENSE_PLACES }, (_, place) => {
    const at = (place * most) / (DENSE_PLACES - 1);
    const from = places[Math.floor(at)]!;
    const to = places[Math.min(most, Math.floor(at) + 1)]!;
    const part = at - Math.floor(at);
    return { x: from.x + part * (to.x - from.x), z: from.z + part * (to.z - from.z) };
  });
}

/** A crowded line: about 0.7 m between two people. */
export const DENSE_LINE: LineLayout = { slots: spreadAlong(SLOTS), closeSlots: spreadAlong(CLOSE_SLOTS) };

/** The point that the first person in line faces. */
export const LOOKOUT: Ground = { x: 1.75, z: 6.45 };

export interface Counter {
  readonly stand: Ground;
  /** The terminal that a customer faces. */
  readonly terminal: Ground;
  /** Ways out, one of which each customer takes. */
  readonly exits: readonly [readonly Ground[], ...(readonly Ground[])[]];
}

export const COUNTERS: readonly Counter[] = [
  {
    stand: { x: 2.8, z: 7.4 },
    terminal: { x: 3.32, z: 6.78 },
    exits: [
      [
        { x: 2.4, z: 5.4 },
        { x: 4.6, z: 5.1 },
      ],
    ],
  },
  {
    stand: { x: 2.95, z: 10.2 },
    terminal: { x: 3.45, z: 9.58 },
    exits: [
      [
        { x: 3.4, z: 12.2 },
        { x: 8.2, z: 13.2 },
      ],
    ],
  },
];

/** A point just outside the frame at distance z, on the left (-1) or right (1). */
export const beyondEdge = (side: -1 | 1, z: number): Ground => SHOP_VIEW.beyondEdge(side, z);

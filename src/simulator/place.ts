import type { QueueZones } from '../vision/types.ts';
import { EYE_LEVEL, type Ground, SHOP_VIEW, type View } from './camera.ts';
import type { Block } from './furniture.ts';
import { CLASSIC_LINE, COUNTERS, type Counter, DENSE_LINE, type LineLayout, LOOKOUT } from './layout.ts';
import type { Scenario } from './scenario.ts';
import { type Outlines, SHOP_ZONES, ZONE_OUTLINES, zonesIn } from './shop-zones.ts';

/** Somebody who works in the shop, and the places between which they go. */
export interface Post {
  readonly stops: readonly [Ground, ...Ground[]];
  /** What they look at. */
  readonly towards: Ground;
  readonly isSeated: boolean;
}

/** Where a scenario happens, and what its camera sees of it. */
export interface Place {
  readonly view: View;
  readonly counters: readonly Counter[];
  readonly outlines: Outlines;
  readonly zones: QueueZones;
  readonly furniture: readonly Block[];
}

/** A place with one line. */
export interface LinePlace extends Place {
  readonly line: LineLayout;
  /** The point that the first person in line faces. */
  readonly lookout: Ground;
  readonly staff: readonly Post[];
}

const CLASSIC: LinePlace = {
  view: SHOP_VIEW,
  line: CLASSIC_LINE,
  counters: COUNTERS,
  lookout: LOOKOUT,
  outlines: ZONE_OUTLINES,
  zones: SHOP_ZONES,
  furniture: [],
  staff: [],
};

/** The classic shop with counters between camera and customers, at which cashiers sit; a third person goes from till to till. */
const TILL: LinePlace = {
  ...CLASSIC,
  counters: COUNTERS.map(
    (counter, at): Counter =>
      at > 0
        ? counter
        : {
            ...counter,
            // Around the end of the counter, past the head of the line.
            exits: [
              [
                { x: 1.9, z: 7.2 },
                { x: 1.85, z: 5.6 },
                { x: 4.6, z: 5.1 },
              ],
            ],
          },
  ),
  furniture: [
    { left: 2.2, right: 3.8, front: 6.65, back: 6.95, height: 0.95 },
    { left: 2.35, right: 4, front: 9.45, back: 9.75, height: 0.95 },
  ],
  staff: [
    { stops: [{ x: 3.62, z: 7.4 }], towards: { x: 2.8, z: 7.4 }, isSeated: true },
    { stops: [{ x: 3.88, z: 10.2 }], towards: { x: 2.95, z: 10.2 }, isSeated: true },
    {
      stops: [
        { x: 3.45, z: 8 },
        { x: 4.3, z: 8.8 },
        { x: 3.5, z: 10.8 },
        { x: 4.6, z: 11.5 },
      ],
      towards: { x: 2.8, z: 9 },
      isSeated: false,
    },
  ],
};

const FACING_PLACES = 7;
const facing = (sideways: number): Ground[] =>
  Array.from({ length: FACING_PLACES }, (_, place) => ({
    x: place % 2 === 0 ? -sideways : sideways,
    z: 3.6 + 0.8 * place,
  }));

const FACING_OUTLINES: Outlines = {
  queue: [
    { x: -0.75, z: 3 },
    { x: 0.65, z: 3 },
    { x: 0.85, z: 9.1 },
    { x: -0.95, z: 9.1 },
  ],
  checkout: [
    { x: 0.8, z: 2.6 },
    { x: 1.75, z: 2.6 },
    { x: 2.3, z: 5.3 },
    { x: 0.95, z: 5.3 },
  ],
};

/** A line that comes straight towards a camera as high as eyes; who was served leaves past the camera or past the line. */
const FACING: LinePlace = {
  view: EYE_LEVEL,
  line: { slots: facing(0.22), closeSlots: facing(0.1) },
  counters: [
    {
      stand: { x: 1.25, z: 3.1 },
      terminal: { x: 1.9, z: 2.9 },
      exits: [
        [{ x: 0.1, z: 2.5 }, EYE_LEVEL.beyondEdge(-1, 2.4)],
        [{ x: 1.6, z: 2.4 }, EYE_LEVEL.beyondEdge(1, 2.3)],
      ],
    },
    {
      stand: { x: 1.6, z: 4.6 },
      terminal: { x: 2.3, z: 4.4 },
      exits: [
        [{ x: 1.5, z: 9.5 }, EYE_LEVEL.beyondEdge(1, 11)],
        [{ x: 0.9, z: 2.5 }, EYE_LEVEL.beyondEdge(-1, 2.5)],
      ],
    },
  ],
  lookout: { x: 1.2, z: 2.6 },
  outlines: FACING_OUTLINES,
  zones: zonesIn(FACING_OUTLINES, EYE_LEVEL),
  furniture: [],
  staff: [{ stops: [{ x: 2.2, z: 3.2 }], towards: { x: 1.25, z: 3.1 }, isSeated: false }],
};

export function placeOf(scenario: Scenario): LinePlace {
  if (scenario === 'till') return TILL;
  if (scenario === 'facing') return FACING;
  return scenario === 'crowd' ? { ...CLASSIC, line: DENSE_LINE } : CLASSIC;
}

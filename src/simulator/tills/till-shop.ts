import type { Polygon, QueueZones } from '../../vision/types.ts';
import { type Ground, View } from '../camera.ts';
import type { Place } from '../place.ts';
import type { TillScenario } from '../scenario.ts';

/** Below a high ceiling, with an angle that just sees the row. */
const viewOf = (halfWidthMetres: number): View => {
  const place = { heightMetres: 4.5, tiltDegrees: 24 };
  const wide = new View({ ...place, focalLength: 1 });
  return new View({ ...place, focalLength: Math.min(1.6, wide.halfViewWidth(TILL_Z) / halfWidthMetres) });
};

const PACE_METRES = 0.85;
const PLACES = { few: 6, many: 10, each: 4, apart: 8 } as const;
const FEW_TILLS = 2;
const TILL_Z = 9.4;
const STAFF_Z = 8.1;
/** A customer turns here towards a till. */
export const BEFORE_METRES = 1.3;

export interface ShopTill {
  readonly id: string;
  readonly name: string;
  readonly stand: Ground;
  /** Where the cashier works, and the way there from outside of the picture. */
  readonly post: Ground;
  readonly way: readonly [Ground, Ground, Ground];
  /** The way out of a customer. */
  readonly exit: readonly [Ground, Ground, Ground];
}

interface ShopLine {
  /** Head first; without a line the places where people look around until a till is free. */
  readonly slots: readonly Ground[];
  /** The tills that it feeds. */
  readonly tillIds: readonly string[];
}

/** A shop with a row of tills. */
export interface TillShop {
  readonly place: Place;
  readonly tills: readonly ShopTill[];
  readonly lines: readonly ShopLine[];
  /** The zones of each scene on the camera: one scene for each line. */
  readonly scenes: readonly QueueZones[];
  readonly showsStaff: boolean;
  /** People step straight up to a till that is free. */
  readonly isWalkUp: boolean;
}

export function tillShopOf(scenario: TillScenario): TillShop {
  const count = Number(scenario.replace(/^\D+/, ''));
  const isEach = scenario.startsWith('lines');
  const showsStaff = !scenario.startsWith('hidden');
  const isWalkUp = scenario.startsWith('walkup');
  const spacing = isEach ? 2.3 : 1.7;
  const xOf = (at: number) => (at - (count - 1) / 2) * spacing;
  const places = count <= FEW_TILLS ? PLACES.few : PLACES.many;
  const view = viewOf(Math.max((count * spacing) / 2 + 0.8, isEach ? 0 : 0.7 * places));
  const tills = Array.from({ length: count }, (_, at) => tillAt(at + 1, xOf(at), spacing));
  const lines: ShopLine[] = isEach
    ? tills.map(({ id, stand }) => ({ slots: ownLine(stand.x), tillIds: [id] }))
    : [{ slots: isWalkUp ? apart(xOf(count)) : commonLine(places), tillIds: tills.map(({ id }) => id) }];
  const zoneOf = ({ id, name, stand, post }: ShopTill) => ({
    ...{ id, name, ...near(view, stand, 0.62, 0.6) },
    ...(showsStaff && { staffPoints: near(view, post, 0.55, 0.45).points }),
  });
  const scenes = lines.map(
    ({ slots, tillIds }): QueueZones => ({
      ...(!isWalkUp && { queueZone: hull(view, slots, isEach) }),
      tills: tills.filter(({ id }) => tillIds.includes(id)).map(zoneOf),
    }),
  );
  const place: Place = {
    view,
    counters: tills.map(({ stand, exit }) => ({
      stand,
      terminal: { x: stand.x + 0.55, z: stand.z - 0.45 },
      exits: [exit],
    })),
    outlines: {
      queue: isWalkUp ? [] : around(lines.flatMap(({ slots }) => slots)),
      checkout: around(tills.map(({ stand }) => stand)),
    },
    zones: scenes[0]!,
    furniture: [],
  };
  return { place, tills, lines, scenes, showsStaff, isWalkUp };
}

function tillAt(number: number, x: number, spacing: number): ShopTill {
  const between = x + spacing / 2;
  return {
    ...{ id: `till-${number}`, name: `Till ${number}` },
    stand: { x, z: TILL_Z },
    post: { x, z: STAFF_Z },
    way: [
      { x: between, z: 3.4 },
      { x: between, z: 7 },
      { x, z: 7.1 },
    ],
    exit: [
      { x: between, z: TILL_Z },
      { x: between, z: 7.2 },
      { x: between, z: 3.4 },
    ],
  };
}

const commonLine = (places: number): Ground[] =>
  Array.from({ length: places }, (_, place) => ({ x: -PACE_METRES * place, z: 12.4 }));

/** Here and there behind the tills. */
const apart = (halfWidth: number): Ground[] =>
  Array.from({ length: PLACES.apart }, (_, place) => ({
    x: halfWidth * Math.sin(2.4 * place + 1),
    z: 13.2 + 0.7 * (place % 2),
  }));

/** Away from the camera, each person a little to the side. */
const ownLine = (x: number): Ground[] =>
  Array.from({ length: PLACES.each }, (_, place) => ({ x: x - 0.3 * place, z: 11 + PACE_METRES * place }));

function hull(view: View, slots: readonly Ground[], isEach: boolean): Polygon {
  if (!isEach) return polygon(view, around(slots));
  const [[last, first], [near, far]] = rangesOf(slots);
  return polygon(view, [
    { x: first - 0.65, z: near - 0.5 },
    { x: first + 0.65, z: near - 0.5 },
    { x: last + 0.65, z: far + 0.5 },
    { x: last - 0.65, z: far + 0.5 },
  ]);
}

const near = (view: View, { x, z }: Ground, across: number, along: number): Polygon =>
  outline(view, [x - across, x + across], [z - along, z + along]);

type Range = readonly [from: number, to: number];

const outline = (view: View, across: Range, along: Range): Polygon => polygon(view, corners(across, along));

const corners = ([left, right]: Range, [near, far]: Range): Ground[] => [
  { x: left, z: near },
  { x: right, z: near },
  { x: right, z: far },
  { x: left, z: far },
];

/** Of x and of z. */
function rangesOf(places: readonly Ground[]): readonly [Range, Range] {
  const [xs, zs] = [places.map(({ x }) => x), places.map(({ z }) => z)];
  return [
    [Math.min(...xs), Math.max(...xs)],
    [Math.min(...zs), Math.max(...zs)],
  ];
}

/** A rectangle of floor around places. */
function around(places: readonly Ground[]): Ground[] {
  const [[left, right], [near, far]] = rangesOf(places);
  return corners([left - 0.6, right + 0.6], [near - 0.6, far + 0.6]);
}

const inPicture = (share: number): number => Math.min(1, Math.max(0, Math.round(share * 1e4) / 1e4));

const polygon = (view: View, corners: readonly Ground[]): Polygon => ({
  type: 'polygon',
  points: corners.map((at) => {
    const [x, y] = view.project(at);
    return [inPicture(x), inPicture(y)];
  }),
});

import { coversWhole } from '../../../catalogue/zones/cover.ts';
import { type Point, type PolygonFault, polygonFault } from '../../../catalogue/zones/polygon.ts';
import { overlappingTills } from '../../../catalogue/zones/tills.ts';

/** A polygon as the API has it. */
export interface Polygon {
  readonly type: 'polygon';
  readonly points: readonly Point[];
}

export const ZONE_KINDS = ['queueZone', 'checkoutZone', 'staffZone'] as const;
export type ZoneKind = (typeof ZONE_KINDS)[number];
export type ShapeKind = ZoneKind | 'till' | 'tillStaff' | 'mask';

/** What is drawn for a scene; the side of the staff is drawn at its till. */
export const SCENE_KINDS = ['queueZone', 'checkoutZone', 'till', 'staffZone'] as const;

/** A till as the API has it. */
export interface Till extends Polygon {
  readonly id: string;
  readonly name: string;
  readonly staffPoints?: readonly Point[];
}

/** The zones of a scene as the API has them. */
export type Zones = { readonly [Kind in ZoneKind]?: Polygon | undefined } & {
  readonly tills?: readonly Till[];
  readonly queueFeeds?: { readonly tillIds: readonly string[] };
};

/** What is drawn over a picture, in the form of the API. */
export interface Drawing {
  readonly zones: Zones;
  readonly privacyMask: readonly Polygon[];
}

/** The till to which a shape belongs. */
export interface TillTag {
  readonly id: string;
  readonly name: string;
  /** Whether the queue leads there. */
  readonly isFed: boolean;
}

/** A polygon that is being edited. Its key names it as long as the editor is open. */
export interface Shape {
  readonly key: number;
  readonly kind: ShapeKind;
  readonly points: readonly Point[];
  /** Of a till. */
  readonly till?: TillTag;
  /** Of the side of the staff: the id of its till. */
  readonly of?: string;
}

/** A shape that is a till. */
export type TillShape = Shape & { readonly till: TillTag };

/** The API accepts so many. */
export const MOST_MASKS = 20;

const polygon = (points: readonly Point[]): Polygon => ({ type: 'polygon', points });

export const tillsOf = (shapes: readonly Shape[]): readonly TillShape[] =>
  shapes.filter((shape): shape is TillShape => shape.till !== undefined);

export const staffSideOf = (shapes: readonly Shape[], tillId: string): Shape | undefined =>
  shapes.find(({ of }) => of === tillId);

export function shapesOf({ zones, privacyMask }: Drawing): readonly Shape[] {
  const ofZones = ZONE_KINDS.flatMap((kind) => {
    const zone = zones[kind];
    return zone ? [{ kind, points: zone.points }] : [];
  });
  const fed = zones.queueFeeds?.tillIds;
  const ofTills = (zones.tills ?? []).flatMap(({ id, name, points, staffPoints }) => [
    { kind: 'till' as const, points, till: { id, name, isFed: fed?.includes(id) ?? true } },
    ...(staffPoints ? [{ kind: 'tillStaff' as const, points: staffPoints, of: id }] : []),
  ]);
  const ofMasks = privacyMask.map(({ points }) => ({ kind: 'mask' as const, points }));
  return [...ofZones, ...ofTills, ...ofMasks].map((shape, key) => ({ ...shape, key }));
}

export function drawingOf(shapes: readonly Shape[]): Drawing {
  const zones: Partial<Record<ZoneKind, Polygon>> = {};
  for (const kind of ZONE_KINDS) {
    const shape = shapes.find((one) => one.kind === kind);
    if (shape) zones[kind] = polygon(shape.points);
  }
  const drawn = tillsOf(shapes);
  const tills = drawn.map(({ points, till: { id, name } }): Till => {
    const side = staffSideOf(shapes, id);
    return { ...{ id, name: name.trim() }, ...polygon(points), ...(side && { staffPoints: side.points }) };
  });
  const fed = drawn.filter(({ till }) => till.isFed);
  const leadsElsewhere = zones.queueZone !== undefined && fed.length < drawn.length;
  const masks = shapes.filter(({ kind }) => kind === 'mask');
  return {
    zones: {
      ...zones,
      ...(tills.length > 0 && { tills }),
      ...(leadsElsewhere && { queueFeeds: { tillIds: fed.map(({ till }) => till.id) } }),
    },
    privacyMask: masks.map(({ points }) => polygon(points)),
  };
}

/** Why a drawing cannot be saved. */
export type DrawingFault =
  | { readonly kind: 'shape'; readonly shape: Shape; readonly fault: PolygonFault }
  | { readonly kind: 'nothingCounts' }
  | { readonly kind: 'staffCovers'; readonly zone: 'queueZone' | 'checkoutZone' }
  | { readonly kind: 'noName' | 'sameName' | 'staffCoversTill' | 'sideCovers'; readonly shape: TillShape }
  | { readonly kind: 'overlaps'; readonly shape: TillShape; readonly other: TillShape };

/** @param needsZone whether there must be a zone that counts people; false where only masks are drawn */
export function drawingFaults(shapes: readonly Shape[], needsZone: boolean): readonly DrawingFault[] {
  const broken = shapes.flatMap((shape): DrawingFault[] => {
    const fault = polygonFault(shape.points);
    return fault ? [{ kind: 'shape', shape, fault }] : [];
  });
  const of = (kind: ShapeKind) => shapes.find((shape) => shape.kind === kind);
  const tills = tillsOf(shapes);
  const counting = (['queueZone', 'checkoutZone'] as const).filter((kind) => of(kind));
  const isMissing = needsZone && counting.length + tills.length === 0;
  const staff = of('staffZone');
  const covered = counting.flatMap((zone): DrawingFault[] =>
    covers(staff, of(zone)) ? [{ kind: 'staffCovers', zone }] : [],
  );
  return [
    ...broken,
    ...(isMissing ? [{ kind: 'nothingCounts' } as const] : []),
    ...covered,
    ...tills.flatMap((till) => tillFaults(till, shapes, staff)),
    ...overlaps(tills),
  ];
}

function tillFaults(shape: TillShape, shapes: readonly Shape[], staff: Shape | undefined): DrawingFault[] {
  const name = shape.till.name.trim();
  const first = tillsOf(shapes).find(({ till }) => till.name.trim() === name);
  return [
    ...(name === '' ? [{ kind: 'noName', shape } as const] : []),
    ...(name !== '' && first !== shape ? [{ kind: 'sameName', shape } as const] : []),
    ...(covers(staffSideOf(shapes, shape.till.id), shape) ? [{ kind: 'sideCovers', shape } as const] : []),
    ...(covers(staff, shape) ? [{ kind: 'staffCoversTill', shape } as const] : []),
  ];
}

function overlaps(tills: readonly TillShape[]): DrawingFault[] {
  return overlappingTills(tills.filter(isSound)).map(({ till, other }) => ({
    ...{ kind: 'overlaps', shape: till, other },
  }));
}

const isSound = (shape: Shape | undefined): shape is Shape =>
  shape !== undefined && polygonFault(shape.points) === null;

/** Whether one shape covers another whole. */
const covers = (cover: Shape | undefined, shape: Shape | undefined): boolean =>
  isSound(cover) && isSound(shape) && coversWhole(shape.points, cover.points);

/** Whether the queue surrounds the service zone, of which the API warns. */
export function isQueueAround(shapes: readonly Shape[]): boolean {
  const [queue, service] = (['queueZone', 'checkoutZone'] as const).map((kind) =>
    shapes.find((shape) => shape.kind === kind),
  );
  return covers(queue, service);
}

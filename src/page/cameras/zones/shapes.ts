import { coversWhole } from '../../../catalogue/zones/cover.ts';
import { type Point, type PolygonFault, polygonFault } from '../../../catalogue/zones/polygon.ts';

/** A polygon as the API has it. */
export interface Polygon {
  readonly type: 'polygon';
  readonly points: readonly Point[];
}

export const ZONE_KINDS = ['queueZone', 'checkoutZone', 'staffZone'] as const;
export type ZoneKind = (typeof ZONE_KINDS)[number];
export type ShapeKind = ZoneKind | 'mask';

/** The zones of a scene as the API has them. */
export type Zones = { readonly [Kind in ZoneKind]?: Polygon | undefined };

/** What is drawn over a picture, in the form of the API. */
export interface Drawing {
  readonly zones: Zones;
  readonly privacyMask: readonly Polygon[];
}

/** A polygon that is being edited. Its key names it as long as the editor is open. */
export interface Shape {
  readonly key: number;
  readonly kind: ShapeKind;
  readonly points: readonly Point[];
}

/** The API accepts so many. */
export const MOST_MASKS = 20;

const polygon = (points: readonly Point[]): Polygon => ({ type: 'polygon', points });

export function shapesOf({ zones, privacyMask }: Drawing): readonly Shape[] {
  const ofZones = ZONE_KINDS.flatMap((kind) => {
    const zone = zones[kind];
    return zone ? [{ kind, points: zone.points }] : [];
  });
  const ofMasks = privacyMask.map(({ points }) => ({ kind: 'mask' as const, points }));
  return [...ofZones, ...ofMasks].map((shape, key) => ({ ...shape, key }));
}

export function drawingOf(shapes: readonly Shape[]): Drawing {
  const zones: Partial<Record<ZoneKind, Polygon>> = {};
  for (const kind of ZONE_KINDS) {
    const shape = shapes.find((one) => one.kind === kind);
    if (shape) zones[kind] = polygon(shape.points);
  }
  const masks = shapes.filter(({ kind }) => kind === 'mask');
  return { zones, privacyMask: masks.map(({ points }) => polygon(points)) };
}

/** Why a drawing cannot be saved. */
export type DrawingFault =
  | { readonly kind: 'shape'; readonly shape: Shape; readonly fault: PolygonFault }
  | { readonly kind: 'nothingCounts' }
  | { readonly kind: 'staffCovers'; readonly zone: 'queueZone' | 'checkoutZone' };

/** @param needsZone whether there must be a zone that counts people; false where only masks are drawn */
export function drawingFaults(shapes: readonly Shape[], needsZone: boolean): readonly DrawingFault[] {
  const broken = shapes.flatMap((shape): DrawingFault[] => {
    const fault = polygonFault(shape.points);
    return fault ? [{ kind: 'shape', shape, fault }] : [];
  });
  const of = (kind: ShapeKind) => shapes.find((shape) => shape.kind === kind);
  const counting = (['queueZone', 'checkoutZone'] as const).filter((kind) => of(kind));
  const missing: DrawingFault[] = needsZone && counting.length === 0 ? [{ kind: 'nothingCounts' }] : [];
  const staff = of('staffZone');
  const covered = counting.flatMap((zone): DrawingFault[] => {
    const counted = of(zone);
    if (!isSound(staff) || !isSound(counted)) return [];
    return coversWhole(counted.points, staff.points) ? [{ kind: 'staffCovers', zone }] : [];
  });
  return [...broken, ...missing, ...covered];
}

const isSound = (shape: Shape | undefined): shape is Shape =>
  shape !== undefined && polygonFault(shape.points) === null;

/** Whether the queue surrounds the service zone, of which the API warns. */
export function isQueueAround(shapes: readonly Shape[]): boolean {
  const [queue, service] = (['queueZone', 'checkoutZone'] as const).map((kind) =>
    shapes.find((shape) => shape.kind === kind),
  );
  return isSound(queue) && isSound(service) && coversWhole(service.points, queue.points);
}

import type { Point } from '../../../catalogue/zones/polygon.ts';
import type { components } from '../../../client/client.ts';
import { type Polygon, ZONE_KINDS, type Zones } from './shapes.ts';

export type ZonesBody = components['schemas']['Scene']['config']['zones'];
type PolygonBody = NonNullable<ZonesBody['queueZone']>;

/** OpenAPI has no type for a pair of numbers. */
const fromPoints = (points: readonly (readonly number[])[]): readonly Point[] =>
  points.map(([x = 0, y = 0]) => [x, y] as const);
const pointsBody = (points: readonly Point[]): number[][] => points.map(([x, y]) => [x, y]);

export const fromPolygon = ({ points }: PolygonBody): Polygon => ({
  type: 'polygon',
  points: fromPoints(points),
});

export const polygonBody = ({ points }: Polygon): PolygonBody => ({
  type: 'polygon',
  points: pointsBody(points),
});

/** Zones of a scene for the editor. */
export function fromBody({ tills, queueFeeds, ...zones }: ZonesBody): Zones {
  const drawn = ZONE_KINDS.flatMap((kind) => {
    const zone = zones[kind];
    return zone ? [[kind, fromPolygon(zone)] as const] : [];
  });
  return {
    ...Object.fromEntries(drawn),
    ...(tills && {
      tills: tills.map(({ id, name, points, staffPoints }) => ({
        ...{ id, name, ...fromPolygon({ type: 'polygon', points }) },
        ...(staffPoints && { staffPoints: fromPoints(staffPoints) }),
      })),
    }),
    ...(queueFeeds && { queueFeeds }),
  };
}

export const masksFromBody = (masks: readonly PolygonBody[]): readonly Polygon[] => masks.map(fromPolygon);

/** Zones as the body of a call: without the kinds that are not drawn. */
export function toBody({ tills, queueFeeds, ...zones }: Zones): ZonesBody {
  const drawn = ZONE_KINDS.flatMap((kind) => {
    const zone = zones[kind];
    return zone ? [[kind, polygonBody(zone)] as const] : [];
  });
  return {
    ...Object.fromEntries(drawn),
    ...(tills && {
      tills: tills.map(({ id, name, staffPoints, ...one }) => ({
        ...{ id, name, ...polygonBody(one) },
        ...(staffPoints && { staffPoints: pointsBody(staffPoints) }),
      })),
    }),
    ...(queueFeeds && { queueFeeds: { tillIds: [...queueFeeds.tillIds] } }),
  };
}

import type { components } from '../../../client/client.ts';
import type { Polygon, Zones } from './shapes.ts';

type ZonesBody = NonNullable<NonNullable<components['schemas']['Scene']['config']>['zones']>;
type PolygonBody = NonNullable<ZonesBody['queueZone']>;

export const polygonBody = ({ points }: Polygon): PolygonBody => ({
  type: 'polygon',
  points: points.map(([x, y]) => [x, y]),
});

/** Zones as the body of a call: without the kinds that are not drawn. */
export const toBody = (zones: Zones): ZonesBody =>
  Object.fromEntries(
    Object.entries(zones).flatMap(([kind, polygon]) => (polygon ? [[kind, polygonBody(polygon)]] : [])),
  );

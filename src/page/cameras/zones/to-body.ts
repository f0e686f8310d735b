import type { components } from '../../../client/client.ts';
import { type Polygon, ZONE_KINDS, type ZoneKind, type Zones } from './shapes.ts';

export type ZonesBody = components['schemas']['Scene']['config']['zones'];
type PolygonBody = NonNullable<ZonesBody['queueZone']>;

/** OpenAPI has no type for a pair of numbers. */
export const fromPolygon = ({ points }: PolygonBody): Polygon => ({
  type: 'polygon',
  points: points.map(([x = 0, y = 0]) => [x, y] as const),
});

export const polygonBody = ({ points }: Polygon): PolygonBody => ({
  type: 'polygon',
  points: points.map(([x, y]) => [x, y]),
});

const each = <From, To>(
  zones: { readonly [Kind in ZoneKind]?: From | undefined },
  change: (zone: From) => To,
) =>
  Object.fromEntries(
    ZONE_KINDS.flatMap((kind) => {
      const zone = zones[kind];
      return zone ? [[kind, change(zone)] as const] : [];
    }),
  );

/** Zones of a scene for the editor. */
export const fromBody = (zones: ZonesBody): Zones => each(zones, fromPolygon);

export const masksFromBody = (masks: readonly PolygonBody[]): readonly Polygon[] => masks.map(fromPolygon);

/**
 * Zones as the body of a call: without the kinds that are not drawn.
 * @param stored the zones of the scene: its tills, which this editor does not draw, stay
 */
export function toBody(zones: Zones, stored: Pick<ZonesBody, 'tills' | 'queueFeeds'> = {}): ZonesBody {
  const { tills, queueFeeds } = stored;
  const drawn = each(zones, polygonBody);
  return { ...drawn, ...(tills && { tills }), ...(queueFeeds && drawn.queueZone && { queueFeeds }) };
}

import { z } from 'zod';
import { Area } from '../../../catalogue/zones/polygon.ts';
import { polygonSchema } from '../../../vision/polygon-schema.ts';
import type { Point, QueueZones } from '../../../vision/types.ts';
import type { ZoneAdvice } from './zone-advice.ts';

/** A proposed zone that somebody has looked at and left: of the call that leaves it, and of its row. */
export const leftProposal = z.strictObject({
  zone: z.enum(['queueZone', 'checkoutZone']).meta({ description: 'The zone of the proposal' }),
  polygon: polygonSchema.meta({ description: 'The proposed polygon' }),
});
export type LeftProposal = z.output<typeof leftProposal>;

/** From this share on of the places that a proposal adds to its zone, and that the left one did not have, it is another one. */
const OTHER_FROM = 0.5;
/** Places that are looked at in each direction of the picture. */
const GRID = 120;

/** Whether a proposal is the one that was left, or little else. */
export function isLeft({ zone, polygon }: ZoneAdvice, zones: QueueZones, left: LeftProposal | null): boolean {
  const drawn = zones[zone];
  if (left?.zone !== zone || !drawn) return false;
  const [own, proposed] = [new Area(drawn.points), new Area(polygon.points)];
  const known = new Area(left.polygon.points as readonly Point[]);
  let added = 0;
  let others = 0;
  for (let row = 0; row < GRID; row++) {
    for (let column = 0; column < GRID; column++) {
      const place: Point = [(column + 0.5) / GRID, (row + 0.5) / GRID];
      if (!proposed.contains(place) || own.contains(place)) continue;
      added++;
      if (!known.contains(place)) others++;
    }
  }
  return others < OTHER_FROM * added || added === 0;
}

import { coveredShare } from '../../../catalogue/zones/cover.ts';
import { Area, distanceToEdge } from '../../../catalogue/zones/polygon.ts';
import { outlinesOf } from '../../../vision/scene-zones.ts';
import type { Point, Polygon, QueueZones } from '../../../vision/types.ts';
import type { FootPoint } from './encode-feet.ts';
import { widened } from './wider-polygon.ts';

/** A zone that counts customers. */
export type CountingZone = 'queueZone' | 'checkoutZone';

/** People are often cut off just outside a zone; a better polygon has them. */
export interface ZoneAdvice {
  readonly zone: CountingZone;
  /** Share of the people standing in the zone or cut off beside it who are beside it, 0-1. */
  readonly share: number;
  readonly polygon: Polygon;
}

const COUNTING = ['checkoutZone', 'queueZone'] as const;

/**
 * A box that ends where the body is hidden ends above the feet: so far above a zone, in heights of the picture, its person may
 * stand in it.
 */
const REACH = 0.2;
/** Estimated feet may be wrong by so much, in shares of the picture. */
const ESTIMATE_REACH = 0.08;
/** So far above hidden feet a zone may be drawn where the body ends: over the counter that hides them. */
const COUNTER_REACH = 0.15;
const STEP = 0.02;
/** One point alone is an accident: there are so many others within so little of it. */
const OTHERS = 2;
const NEAR = 0.06;
/** To begin an advice, and to keep it: the least share, the least number of points, and of minutes with them. */
const BEGINS = { share: 0.25, points: 12, minutes: 5 };
const KEEPS = { share: 0.15, points: 8, minutes: 3 };
/** A better polygon covers no more of another zone than the drawn one and this share. */
const MOST_OF_ANOTHER = 0.1;

/**
 * Finds the zone beside which most people are cut off. Only people who stand count, and only those whose feet nobody has
 * seen: where feet are seen outside a zone, the zone means it so.
 * @param isKnown whether the advice is given already: it then stays a little longer
 */
export function zoneAdvice(
  points: readonly FootPoint[],
  zones: QueueZones,
  isKnown: boolean,
): ZoneAdvice | null {
  const least = isKnown ? KEEPS : BEGINS;
  const areas = outlinesOf(zones).map((points) => new Area(points));
  const standing = points.filter(({ isStanding }) => isStanding);
  const outside = standing.filter(({ x, y }) => !areas.some((area) => area.contains([x, y])));
  let best: ZoneAdvice | null = null;
  for (const zone of COUNTING) {
    const drawn = zones[zone];
    if (!drawn) continue;
    const area = new Area(drawn.points);
    const cut = together(outside.filter((point) => isCutOffBeside(point, drawn.points, area)));
    const inside = standing.filter(({ x, y }) => area.contains([x, y])).length;
    const share = cut.length / (cut.length + inside);
    const minutes = new Set(cut.map(({ minute }) => minute)).size;
    if (cut.length < least.points || minutes < least.minutes || share < least.share) continue;
    if (best && best.share >= share) continue;
    const wider = widened(
      drawn.points,
      cut.map(({ x, y }) => [x, y] as const),
    );
    if (wider && !coversAnother(wider, drawn.points, { ...zones, [zone]: undefined })) {
      best = { zone, share, polygon: { type: 'polygon', points: wider } };
    }
  }
  return best;
}

function isCutOffBeside({ x, y, feet, isShort }: FootPoint, zone: readonly Point[], area: Area): boolean {
  if (feet === 'estimated') {
    if (distanceToEdge(zone, [x, y]) <= ESTIMATE_REACH) return true;
    for (let above = STEP; above <= COUNTER_REACH; above += STEP)
      if (area.contains([x, y - above])) return true;
    return false;
  }
  if (feet === 'seen' || !isShort) return false;
  for (let below = 0; below <= REACH; below += STEP) if (area.contains([x, y + below])) return true;
  return false;
}

const together = (points: readonly FootPoint[]): readonly FootPoint[] =>
  points.filter(
    ({ x, y }) => points.filter((other) => Math.hypot(other.x - x, other.y - y) <= NEAR).length > OTHERS,
  );

function coversAnother(wider: readonly Point[], drawn: readonly Point[], others: QueueZones): boolean {
  return (['queueZone', 'checkoutZone', 'staffZone'] as const).some((other) => {
    const points = others[other]?.points;
    if (!points) return false;
    return coveredShare(points, wider) > coveredShare(points, drawn) + MOST_OF_ANOTHER;
  });
}

/** Points of people from which on something can be said of feet. */
const ENOUGH = 30;

/** Whether it is known where feet are, for most people; null before enough people were seen. */
export function knownFeet(points: readonly FootPoint[]): 'known' | 'unknown' | null {
  if (points.length < ENOUGH) return null;
  const unknown = points.filter(({ feet }) => feet === 'unknown').length;
  return 2 * unknown >= points.length ? 'unknown' : 'known';
}

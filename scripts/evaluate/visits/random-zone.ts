import { createRandom, type Random } from '../../../src/simulator/random.ts';
import { isInside, type Zone } from './dwell.ts';

const LEAST_AREA = 0.05;
const LARGEST_AREA = 0.3;

/** Attempts to find one zone that people really visit. */
const MOST_DRAWS = 5000;

/**
 * Random convex quadrilaterals of 5-30 % of the frame. The same seed and sequence give the same zones.
 * @param isVisited whether enough people visit a zone to score it
 * @throws Error when the sequence has too few such zones
 */
export function randomZones(
  { seed, count, sequence }: { seed: number; count: number; sequence: string },
  isVisited: (zone: Zone) => boolean,
): Zone[] {
  const random = createRandom(seed, ...Buffer.from(sequence));
  return Array.from({ length: count }, () => {
    for (let draw = 0; draw < MOST_DRAWS; draw++) {
      const zone = quadrilateral(random);
      if (zone && isVisited(zone)) return zone;
    }
    throw new Error(
      `${sequence}: too few people visit any of ${MOST_DRAWS} random zones. Is the sequence long enough, and does its ground truth have people?`,
    );
  });
}

/** @returns null where the outline of the four points is not convex, too small or too large */
function quadrilateral(random: Random): Zone | null {
  const points = Array.from({ length: 4 }, () => [random.next(), random.next()] as const);
  const x = points.reduce((sum, point) => sum + point[0], 0) / 4;
  const y = points.reduce((sum, point) => sum + point[1], 0) / 4;
  const angle = (point: readonly [number, number]) => Math.atan2(point[1] - y, point[0] - x);
  const outline = points.toSorted((a, b) => angle(a) - angle(b));
  const area = shoelace(outline);
  if (area < LEAST_AREA || area > LARGEST_AREA) return null;
  const isConvex = outline.every((point, at) => {
    const others = outline.filter((_, other) => other !== at);
    return !isInside(others, point[0], point[1]);
  });
  return isConvex ? outline : null;
}

function shoelace(outline: Zone): number {
  const twice = outline.reduce((sum, [ax, ay], at) => {
    const [bx, by] = outline[(at + 1) % outline.length]!;
    return sum + ax * by - bx * ay;
  }, 0);
  return Math.abs(twice) / 2;
}

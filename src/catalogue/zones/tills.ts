import { coveredShare } from './cover.ts';
import type { Point } from './polygon.ts';

export const MOST_TILLS = 12;
export const MOST_TILL_NAME = 40;
/** Tills may touch, and a hand that draws them overlaps a little. */
const MOST_OVERLAP = 0.1;

/** Pairs of tills, the later one first, of which one covers more than a tenth of the other. @param tills with the corners of valid polygons */
export function overlappingTills<Till extends { readonly points: readonly Point[] }>(
  tills: readonly Till[],
): readonly { readonly till: Till; readonly at: number; readonly other: Till }[] {
  return tills.flatMap((till, at) =>
    tills.slice(0, at).flatMap((other) => {
      const [a, b] = [till.points, other.points];
      if (!boundsMeet(a, b) || Math.max(coveredShare(a, b), coveredShare(b, a)) <= MOST_OVERLAP) return [];
      return [{ till, at, other }];
    }),
  );
}

function boundsMeet(a: readonly Point[], b: readonly Point[]): boolean {
  const isApart = (axis: 0 | 1) => {
    const [ofA, ofB] = [a.map((point) => point[axis]), b.map((point) => point[axis])];
    return Math.max(...ofA) <= Math.min(...ofB) || Math.max(...ofB) <= Math.min(...ofA);
  };
  return !isApart(0) && !isApart(1);
}

import { coveredShare } from './cover.ts';
import type { Point } from './polygon.ts';

export const MOST_TILLS = 12;
export const MOST_TILL_NAME = 40;
/** Tills may touch, and a hand that draws them overlaps a little. */
const MOST_OVERLAP = 0.1;

/** Pairs of tills, by index, the later one first, of which one covers more than a tenth of the other. @param tills corners of valid polygons */
export function overlappingTills(
  tills: readonly (readonly Point[])[],
): readonly (readonly [till: number, other: number])[] {
  return tills.flatMap((a, at) =>
    tills.slice(0, at).flatMap((b, other) => {
      if (!boundsMeet(a, b) || Math.max(coveredShare(a, b), coveredShare(b, a)) <= MOST_OVERLAP) return [];
      return [[at, other] as const];
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

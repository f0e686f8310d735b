import type { Point } from '../../../catalogue/zones/polygon.ts';
import type { ShapeKind } from './shapes.ts';

/** Zones to begin with: whoever draws for the first time only drags their corners. */
export const TEMPLATES = {
  /** People wait in a row in front of a till. */
  till: {
    queueZone: [
      [0.1, 0.35],
      [0.55, 0.35],
      [0.55, 0.95],
      [0.1, 0.95],
    ],
    checkoutZone: [
      [0.55, 0.35],
      [0.9, 0.35],
      [0.9, 0.95],
      [0.55, 0.95],
    ],
  },
  /** People wait anywhere in a room. */
  room: {
    queueZone: [
      [0.05, 0.25],
      [0.95, 0.25],
      [0.95, 0.97],
      [0.05, 0.97],
    ],
  },
  /** One line leads to several tills beside each other; the till is divided. */
  row: {
    queueZone: [
      [0.1, 0.65],
      [0.9, 0.65],
      [0.9, 0.95],
      [0.1, 0.95],
    ],
    till: [
      [0.1, 0.4],
      [0.9, 0.4],
      [0.9, 0.65],
      [0.1, 0.65],
    ],
  },
} as const satisfies Record<string, Partial<Record<ShapeKind, readonly Point[]>>>;

export type TemplateName = keyof typeof TEMPLATES;

/** The corners of a polygon that can be divided into a row. */
export const ROW_CORNERS = 4;

/**
 * Divides a polygon of four corners into so many beside each other, along its longer sides, from the left to the right; where they
 * lie one behind the other, from the top to the bottom.
 * @param ratio width of the picture ÷ its height
 */
export function rowOf(points: readonly Point[], count: number, ratio: number): Point[][] {
  const [a, b, c, d] = points as [Point, Point, Point, Point];
  const length = (from: Point, to: Point) => Math.hypot((to[0] - from[0]) * ratio, to[1] - from[1]);
  const isAlongFirst = length(a, b) + length(c, d) >= length(b, c) + length(d, a);
  const [side, other] = isAlongFirst
    ? [[a, b] as const, [d, c] as const]
    : [[b, c] as const, [a, d] as const];
  const at = ([from, to]: readonly [Point, Point], share: number): Point => [
    from[0] + share * (to[0] - from[0]),
    from[1] + share * (to[1] - from[1]),
  ];
  const row = Array.from({ length: count }, (_, index) => {
    const [begin, end] = [index / count, (index + 1) / count];
    return [at(side, begin), at(side, end), at(other, end), at(other, begin)];
  });
  const [dx, dy] = [(side[1][0] - side[0][0]) * ratio, side[1][1] - side[0][1]];
  return (Math.abs(dx) >= Math.abs(dy) ? dx : dy) >= 0 ? row : row.reverse();
}

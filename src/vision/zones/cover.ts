import type { Point } from '../types.ts';

/** Number of horizontal lines over the height of a polygon. */
const LINES = 200;

/**
 * Share of a polygon that another one covers, 0-1, measured along horizontal lines: exact to about a hundredth.
 * @param points of a valid polygon, as are those of `cover`
 */
export function coveredShare(points: readonly Point[], cover: readonly Point[]): number {
  const top = Math.min(...points.map(([, y]) => y));
  const bottom = Math.max(...points.map(([, y]) => y));
  let own = 0;
  let covered = 0;
  for (let line = 0; line < LINES; line++) {
    const y = top + ((line + 0.5) / LINES) * (bottom - top);
    const others = spans(cover, y);
    for (const [from, to] of spans(points, y)) {
      own += to - from;
      for (const [start, end] of others) covered += Math.max(0, Math.min(to, end) - Math.max(from, start));
    }
  }
  return own === 0 ? 0 : covered / own;
}

/** The parts of a horizontal line that lie in a polygon. */
function spans(points: readonly Point[], y: number): [from: number, to: number][] {
  const crossings = points
    .flatMap(([x, fromY], i) => {
      const [toX, toY] = points[(i + 1) % points.length]!;
      return fromY > y === toY > y ? [] : [x + ((y - fromY) / (toY - fromY)) * (toX - x)];
    })
    .sort((a, b) => a - b);
  return crossings.flatMap((from, i) => (i % 2 === 0 ? [[from, crossings[i + 1]!] as [number, number]] : []));
}

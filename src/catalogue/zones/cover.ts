import { type Edge, edgesOf, type Point, polygonArea } from './polygon.ts';

/** Number of horizontal lines over the height of a polygon. */
const LINES = 200;

/**
 * Share of a polygon that another one covers, 0-1, measured along horizontal lines: exact to about a hundredth.
 * @param points of a valid polygon, as are those of `cover`
 */
export function coveredShare(points: readonly Point[], cover: readonly Point[]): number {
  return measure(points, cover, Number.POSITIVE_INFINITY);
}

/** What may be left out of a polygon that is covered whole. */
const LEFT_OUT = 0.05;
/** The lines measure an area to about a hundredth. */
const MARGIN = 1.05;

/**
 * Whether a polygon covers another one whole, but for a twentieth. Two zones beside each other are told apart after a few lines:
 * this is asked with each answer that has a scene.
 */
export const coversWhole = (points: readonly Point[], cover: readonly Point[]): boolean =>
  measure(points, cover, LEFT_OUT * MARGIN * polygonArea(points)) >= 1 - LEFT_OUT;

/** @param mostLeft area that may be left out; with more of it the share is 0 */
function measure(points: readonly Point[], cover: readonly Point[], mostLeft: number): number {
  const top = Math.min(...points.map(([, y]) => y));
  const bottom = Math.max(...points.map(([, y]) => y));
  const mostLeftOfLines = (mostLeft * LINES) / (bottom - top);
  const [edges, edgesOfCover] = [edgesOf(points), edgesOf(cover)];
  let own = 0;
  let covered = 0;
  for (let line = 0; line < LINES; line++) {
    const y = top + ((line + 0.5) / LINES) * (bottom - top);
    const others = spans(edgesOfCover, y);
    for (const [from, to] of spans(edges, y)) {
      own += to - from;
      for (const [start, end] of others) covered += Math.max(0, Math.min(to, end) - Math.max(from, start));
    }
    if (own - covered > mostLeftOfLines) return 0;
  }
  return own === 0 ? 0 : covered / own;
}

/** The parts of a horizontal line that lie in a polygon. */
function spans(edges: readonly Edge[], y: number): [from: number, to: number][] {
  const crossings = edges
    .flatMap(([[x, fromY], [toX, toY]]) =>
      fromY > y === toY > y ? [] : [x + ((y - fromY) / (toY - fromY)) * (toX - x)],
    )
    .sort((a, b) => a - b);
  return crossings.flatMap((from, i) => (i % 2 === 0 ? [[from, crossings[i + 1]!] as [number, number]] : []));
}

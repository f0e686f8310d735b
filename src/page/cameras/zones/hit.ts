import { Area, edgesOf, MOST_POINTS, type Point } from '../../../catalogue/zones/polygon.ts';
import { distance, middleOf, type Reach } from './geometry.ts';
import type { Shape } from './shapes.ts';

/** What lies under a finger or the mouse. */
export type Hit =
  | { readonly kind: 'point'; readonly key: number; readonly point: number }
  | { readonly kind: 'middle'; readonly key: number; readonly edge: number; readonly at: Point }
  | { readonly kind: 'shape'; readonly key: number }
  | { readonly kind: 'nothing' };

interface Middle {
  readonly edge: number;
  readonly at: Point;
}

/** Middles of edges that are long enough to have a handle of their own between the handles of their ends. */
export function middlesOf(points: readonly Point[], reach: Reach): readonly Middle[] {
  if (points.length >= MOST_POINTS) return [];
  return edgesOf(points).flatMap(([from, to], edge) =>
    distance(from, to, reach) < 2 ? [] : [{ edge, at: middleOf(from, to) }],
  );
}

interface Scenery {
  readonly shapes: readonly Shape[];
  /** Key of the shape that has handles. */
  readonly active: number | null;
  /** Key of the shape that is being drawn: its last edge is not there yet. */
  readonly openKey: number | null;
  /** Radius of a handle. */
  readonly reach: Reach;
}

/**
 * The handle of the active shape that is nearest within reach, else the shape under the point: the active one first,
 * then the last one drawn. Only the active shape has handles, so that those of neighbours are not taken by mistake.
 */
export function hitAt(point: Point, { shapes, active, openKey, reach }: Scenery): Hit {
  const shape = shapes.find(({ key }) => key === active);
  let nearest: Hit | null = null;
  let least = 1;
  const offer = (at: Point, hit: Hit) => {
    const away = distance(point, at, reach);
    if (away < least) [nearest, least] = [hit, away];
  };
  if (shape) {
    const { key, points } = shape;
    for (const [index, at] of points.entries()) offer(at, { kind: 'point', key, point: index });
    if (key !== openKey)
      for (const middle of middlesOf(points, reach)) offer(middle.at, { kind: 'middle', key, ...middle });
  }
  if (nearest) return nearest;
  const under = shapes.filter(({ key, points }) => key !== openKey && new Area(points).contains(point));
  const found = under.find(({ key }) => key === active) ?? under.at(-1);
  return found ? { kind: 'shape', key: found.key } : { kind: 'nothing' };
}

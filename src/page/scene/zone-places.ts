import type { Point } from '../../catalogue/zones/polygon.ts';

export const ZONE_NAMES = ['queueZone', 'checkoutZone', 'staffZone'] as const;

/**
 * @param points corners of a polygon, 0-1 of the picture
 * @returns where its name stands: at its lower edge, where it hides feet rather than faces, and inside the picture
 */
export function labelPlace(points: readonly Point[]): Point {
  const bottom = Math.max(...points.map(([, y]) => y));
  const near = points.filter(([, y]) => bottom - y < 0.05).map(([x]) => x);
  const x = near.reduce((sum, each) => sum + each, 0) / near.length;
  return [Math.min(0.88, Math.max(0.12, x)), Math.min(0.95, Math.max(0.05, bottom))];
}

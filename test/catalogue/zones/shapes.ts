import type { Point } from '../../../src/vision/types.ts';

/** Open at the top, between 0.3 and 0.7. */
export const HORSESHOE: Point[] = [
  [0.1, 0.1],
  [0.3, 0.1],
  [0.3, 0.7],
  [0.7, 0.7],
  [0.7, 0.1],
  [0.9, 0.1],
  [0.9, 0.9],
  [0.1, 0.9],
];

export const rectangle = (left: number, top: number, right: number, bottom: number): Point[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

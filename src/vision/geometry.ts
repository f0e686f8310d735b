import type { Box, Point } from './types.ts';

export const width = (box: Box): number => box.right - box.left;
export const height = (box: Box): number => box.bottom - box.top;
export const area = (box: Box): number => Math.max(0, width(box)) * Math.max(0, height(box));

/** A box this near to the picture's edge is cut by it, as a fraction of the picture. */
export const AT_EDGE = 0.01;

/** Where an object stands: the bottom centre of its unclipped box. */
export const footPoint = (box: Box): Point => [(box.left + box.right) / 2, box.bottom];

export function intersection(a: Box, b: Box): number {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return w > 0 && h > 0 ? w * h : 0;
}

/** Intersection over union, 0-1. */
export function iou(a: Box, b: Box): number {
  const shared = intersection(a, b);
  return shared === 0 ? 0 : shared / (area(a) + area(b) - shared);
}

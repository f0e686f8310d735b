import type { Box, Point } from './types.ts';

/** A box that is this near to an edge of the frame is cut off there; fraction of the frame. */
export const AT_EDGE = 0.01;

export const width = (box: Box): number => box.right - box.left;
export const height = (box: Box): number => box.bottom - box.top;
export const area = (box: Box): number => Math.max(0, width(box)) * Math.max(0, height(box));

/** Where an object stands: the bottom middle of its unclipped box. */
export const footPoint = (box: Box): Point => [(box.left + box.right) / 2, box.bottom];

/** How far the middle of `to` is to the right of the middle of `from`. */
export const middleOffset = (from: Box, to: Box): number => (to.left + to.right - from.left - from.right) / 2;

/** Area of the overlap. */
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

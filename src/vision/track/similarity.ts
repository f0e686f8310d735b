import type { Box } from '../types.ts';

/**
 * IoU damped by the overlap of the two heights: the geometric mean of IoU and of height-modulated IoU (Hybrid-SORT,
 * arXiv 2308.00783). Heights tell people in a row apart, who differ in distance.
 *
 * @returns 0-1
 */
export function overlap(a: Box, b: Box): number {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (w <= 0 || h <= 0) return 0;
  const areas = (a.right - a.left) * (a.bottom - a.top) + (b.right - b.left) * (b.bottom - b.top);
  const span = Math.max(a.bottom, b.bottom) - Math.min(a.top, b.top);
  return ((w * h) / (areas - w * h)) * Math.sqrt(h / span);
}

/** How much width and height differ (BoostTrack, arXiv 2408.13003). @returns 0-1, 0 the same */
export function shapeDifference(a: Box, b: Box): number {
  const aw = a.right - a.left;
  const bw = b.right - b.left;
  const ah = a.bottom - a.top;
  const bh = b.bottom - b.top;
  return 1 - Math.exp(-(Math.abs(aw - bw) / Math.max(aw, bw) + Math.abs(ah - bh) / Math.max(ah, bh)));
}

import type { Box } from '../types.ts';

/**
 * IoU damped by the overlap of the two heights: the geometric mean of IoU and of height-modulated IoU (Hybrid-SORT,
 * arXiv 2308.00783). Heights tell people in a row apart, who differ in distance.
 *
 * @param slackX, slackY both boxes are taken larger by so much on each side, as far as a place is uncertain
 * @returns 0-1
 */
export function overlap(a: Box, b: Box, slackX = 0, slackY = 0): number {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left) + 2 * slackX;
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) + 2 * slackY;
  if (w <= 0 || h <= 0) return 0;
  const areaA = (a.right - a.left + 2 * slackX) * (a.bottom - a.top + 2 * slackY);
  const areaB = (b.right - b.left + 2 * slackX) * (b.bottom - b.top + 2 * slackY);
  const span = Math.max(a.bottom, b.bottom) - Math.min(a.top, b.top) + 2 * slackY;
  return ((w * h) / (areaA + areaB - w * h)) * Math.sqrt(h / span);
}

/** How much width and height differ (BoostTrack, arXiv 2408.13003). @returns 0-1, 0 the same */
export function shapeDifference(a: Box, b: Box): number {
  const aw = a.right - a.left;
  const bw = b.right - b.left;
  const ah = a.bottom - a.top;
  const bh = b.bottom - b.top;
  return 1 - Math.exp(-(Math.abs(aw - bw) / Math.max(aw, bw) + Math.abs(ah - bh) / Math.max(ah, bh)));
}

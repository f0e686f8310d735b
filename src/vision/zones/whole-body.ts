import { height } from '../geometry.ts';
import type { Box } from '../types.ts';

/** A box that gets shorter by more than this, with its top where it was, has lost its legs behind something. */
const CUT = 0.2;
/** The top may move by this part of the height meanwhile. */
const TOP_STAYS = 0.06;
/** It is whole again from this part of the remembered height on. */
const WHOLE = 0.9;
/** Walking away makes people smaller, too, but over seconds: the memory follows with this time constant. */
const MEMORY_MS = 1_000;
/** Nobody stands behind things for ever: then it may as well have become smaller. */
const LONGEST_CUT_MS = 30_000;

/** What is remembered of somebody's size; plain data. */
export interface Stature {
  height: number;
  top: number;
  atMs: number;
  cutSinceMs: number | null;
}

export const newStature = (box: Box, atMs: number): Stature => ({
  height: height(box),
  top: box.top,
  atMs,
  cutSinceMs: null,
});

/**
 * The box as it would be with its legs: where somebody stands does not change because another one walks before
 * their feet. Changes `stature`.
 * @param atMs watched time
 */
export function wholeBody(stature: Stature, box: Box, atMs: number): Box {
  const seen = height(box);
  const elapsedMs = atMs - stature.atMs;
  const topStays = Math.abs(box.top - stature.top) <= TOP_STAYS * stature.height;
  stature.atMs = atMs;
  stature.top = box.top;
  if (stature.cutSinceMs === null && seen < (1 - CUT) * stature.height && topStays) stature.cutSinceMs = atMs;
  if (stature.cutSinceMs !== null) {
    const isWhole = seen >= WHOLE * stature.height;
    if (!isWhole && atMs - stature.cutSinceMs < LONGEST_CUT_MS) {
      return { ...box, bottom: box.top + stature.height };
    }
    stature.cutSinceMs = null;
    stature.height = seen;
  }
  stature.height += (seen - stature.height) * Math.min(1, elapsedMs / MEMORY_MS);
  return box;
}

import { inHeights } from '../body.ts';
import { height, iou } from '../geometry.ts';
import type { Box, Track } from '../types.ts';
import type { Place, Subject } from './subject.ts';

/** Box overlap from which a new track is the old person again. */
const SAME_PERSON_IOU = 0.3;
/** Somebody in a line moves while hidden: so far, in body heights, and of about the same size. */
const NEAR = 1;
const SIMILAR_HEIGHT = 0.6;

/** A track that may be somebody's who is out of sight. */
export interface Candidate {
  readonly track: Track;
  /** When and where it was first seen. */
  readonly firstSeenMs: number;
  readonly bornIn: Place;
}

/**
 * Which of the people out of sight the new tracks continue: the largest box overlap first, then who queued nearest by;
 * each person and each track once. Whoever was seen together with a track is somebody else.
 */
export function continuations(
  missing: readonly Subject[],
  candidates: readonly Candidate[],
): Map<Track, Subject> {
  const pairs = candidates.flatMap((candidate) =>
    missing
      .filter(({ seen }) => seen.timeMs < candidate.firstSeenMs)
      .map((subject) => ({ track: candidate.track, subject, likeness: likeness(subject, candidate) })),
  );
  pairs.sort((a, b) => b.likeness - a.likeness);
  const taken = new Set<Subject>();
  const matched = new Map<Track, Subject>();
  for (const { track, subject, likeness } of pairs) {
    if (likeness <= 0 || taken.has(subject) || matched.has(track)) continue;
    taken.add(subject);
    matched.set(track, subject);
  }
  return matched;
}

/**
 * Above 1: by overlap. 0-1: by nearness, for those who queued, confirmed or not yet, and a track that appeared in the
 * middle of the queue: who comes from outside is somebody new. 0: somebody else.
 */
function likeness(subject: Subject, { track: { box }, bornIn }: Candidate): number {
  const overlap = iou(subject.box, box);
  if (overlap >= SAME_PERSON_IOU) return 1 + overlap;
  if (bornIn !== 'queue' || subject.place !== 'queue' || subject.queue.since === null) return 0;
  const [small, large] = [height(box), height(subject.box)].sort((a, b) => a - b) as [number, number];
  if (small < SIMILAR_HEIGHT * large) return 0;
  return Math.max(0, 1 - distance(subject.box, box) / NEAR);
}

/** Between the feet of two boxes, in heights of the first. */
function distance(a: Box, b: Box): number {
  const dx = (b.left + b.right - a.left - a.right) / 2;
  return inHeights(a, dx, b.bottom - a.bottom);
}

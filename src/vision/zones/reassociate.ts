import { inHeights } from '../body.ts';
import { height, iou } from '../geometry.ts';
import { lookDifference } from '../look-difference.ts';
import type { Box, SeenLook, Track } from '../types.ts';
import type { Moment } from './dwell.ts';
import { isSettled, type Subject } from './subject.ts';

/** Box overlap from which a new track is the old person again. */
const SAME_PERSON_IOU = 0.3;
/** Somebody in a line moves while hidden: so far, in body heights, and of about the same size. */
const NEAR = 1;
const SIMILAR_HEIGHT = 0.6;
/** In body heights; boxes that are so near and overlap like one person's leave no room for two. */
const ONE_PLACE = 0.2;

/** Looks that differ by no more, 0-255, may be one person's … */
const ALIKE = 12;
/** … and from this on they have nothing in common. */
const UNLIKE = 40;

/** A track that may be somebody's of the queue. */
export interface Candidate {
  readonly track: Track;
  /** When it was first seen there. */
  readonly since: Moment;
  /** There is in the middle of the queue. */
  readonly inQueue: boolean;
  /** It was seen elsewhere before: it may have walked there unseen. */
  readonly foundAgain: boolean;
}

interface Continuable {
  /** Whose last box is known: out of sight. */
  readonly missing: readonly Subject[];
  /** Whose track walked out of the queue, maybe with somebody else. */
  readonly strays: readonly Subject[];
}

/**
 * Which people the new tracks continue: the largest box overlap first, then who queued nearest by and looks most alike;
 * each person and each track once. Whoever was seen together with a track is somebody else, unless both stand in one
 * place.
 */
export function continuations(
  { missing, strays }: Continuable,
  candidates: readonly Candidate[],
): Map<Track, Subject> {
  const pairs = candidates.flatMap((candidate) => [
    ...missing
      .filter((subject) => subject.seen.timeMs < candidate.since.timeMs || isTwin(subject, candidate))
      .map((subject) => ({ track: candidate.track, subject, likeness: likeness(subject, candidate) })),
    ...strays
      .filter(
        ({ trackId, inQueue }) =>
          trackId !== candidate.track.id && inQueue!.at.timeMs < candidate.since.timeMs,
      )
      .map((subject) => ({ track: candidate.track, subject, likeness: strayLikeness(subject, candidate) })),
  ]);
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

/** Somebody waiting in the queue stands just here. */
export const standsAt = ({ box, place, visit }: Subject, at: Box): boolean =>
  place === 'queue' &&
  visit?.state === 'queued' &&
  distance(box, at) <= ONE_PLACE &&
  iou(box, at) >= SAME_PERSON_IOU;

const isTwin = (subject: Subject, { track, since, inQueue }: Candidate): boolean =>
  inQueue && isSettled(since) && standsAt(subject, track.box);

/** Mean difference of two looks, 0-255; null if one is not known or they show nothing in common. */
const apart = (a: SeenLook | null | undefined, b: SeenLook | null | undefined): number | null =>
  a && b ? lookDifference(a, b) : null;

const isAlike = (difference: number | null): boolean => difference !== null && difference <= ALIKE;

/** Whether the track of somebody who queued is out of the queue, and does not show that it is still them who walk there. */
export const hasStrayed = ({ visit, place, look, shown }: Subject): boolean =>
  visit?.state === 'queued' && place === null && !isAlike(apart(look, shown));

/** Whether somebody whose track has left the queue is still in it: as who appears there and looks like them. */
export const isStillInLine = ({ look }: Subject, { track, inQueue }: Candidate): boolean =>
  inQueue && isAlike(apart(look, track.shown));

/** Of those who look like somebody seen now, who does most; null if nobody does. */
export function mostAlike(shown: SeenLook | null, subjects: readonly Subject[]): Subject | null {
  let found: Subject | null = null;
  let least = ALIKE;
  for (const subject of subjects) {
    const difference = apart(subject.look, shown);
    if (difference === null || difference > least) continue;
    least = difference;
    found = subject;
  }
  return found;
}

/**
 * Above 1: by overlap. 0-1: by nearness and look, for those who queued, confirmed or not yet, and a track that appeared in
 * the middle of the queue: who comes from outside is somebody new. 0: somebody else.
 */
function likeness(subject: Subject, { track, inQueue, foundAgain }: Candidate): number {
  const difference = apart(subject.look, track.shown);
  if (foundAgain && !isAlike(difference)) return 0;
  const overlap = iou(subject.box, track.box);
  if (overlap >= SAME_PERSON_IOU) return 1 + overlap;
  if (!inQueue || subject.place !== 'queue' || subject.queue.since === null) return 0;
  return nearness(subject.box, track.box, difference);
}

/** 0-1, for a track that appeared where somebody stood in the queue whose own track has left it. */
function strayLikeness(subject: Subject, candidate: Candidate): number {
  if (!isStillInLine(subject, candidate)) return 0;
  const { box, shown } = candidate.track;
  return nearness(subject.inQueue!.box, box, apart(subject.look, shown));
}

function nearness(from: Box, to: Box, difference: number | null): number {
  const [small, large] = [height(to), height(from)].sort((a, b) => a - b) as [number, number];
  const near = 1 - distance(from, to) / NEAR;
  if (near <= 0 || small < SIMILAR_HEIGHT * large) return 0;
  const alike = 1 - Math.min(UNLIKE, difference ?? UNLIKE / 2) / UNLIKE;
  return (near + alike) / 2;
}

/** Between the feet of two boxes, in heights of the first. */
function distance(a: Box, b: Box): number {
  const dx = (b.left + b.right - a.left - a.right) / 2;
  return inHeights(a, dx, b.bottom - a.bottom);
}

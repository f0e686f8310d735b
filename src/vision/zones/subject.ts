import { inHeights } from '../body.ts';
import { AT_EDGE, footPoint, height } from '../geometry.ts';
import type { Box, Point, SeenLook, Track, Visit } from '../types.ts';
import { type Dwell, type Moment, noDwell } from './dwell.ts';
import { noEvidence, type StaffEvidence } from './staff.ts';
import { newStature, type Stature, wholeBody } from './whole-body.ts';

/** Where somebody stands: checkout wins where the zones overlap; null is outside both. */
export type Place = 'queue' | 'checkout' | null;

interface Sighting {
  readonly box: Box;
  readonly at: Moment;
}

/** One person (or vehicle) and what is known of its way; plain data, so that it can move to another node. */
export interface Subject {
  /** Its name within the watcher. */
  readonly key: number;
  /** Keys of those it could not be told apart from at some time while it queued. */
  mingled: number[];
  /** The track that carries it; null after a move, until a track of the new node takes it over. */
  trackId: number | null;
  /** Where it was last, with its legs. */
  box: Box;
  stature: Stature;
  /** When it appeared in the middle of the queue, where nobody comes into being; null if it was seen walking in. */
  appeared: Moment | null;
  /** Before that it was seen elsewhere, so it may have walked in unseen. */
  foundAgain: boolean;
  /** It appeared within the line and within somebody's box: often a second box of one person. */
  readonly doubtful: boolean;
  /** Last sight. */
  seen: Moment;
  /** Watched time since then in which it should have been seen. */
  missedMs: number;
  place: Place;
  /** Last sight in the queue. */
  inQueue: Sighting | null;
  /** What it wears, learned from the first track only: a later one may be somebody else's. */
  look: SeenLook | null;
  lookTrackId: number | null;
  /** What is seen in its place now. */
  shown: SeenLook | null;
  queue: Dwell;
  checkout: Dwell;
  visit: Visit | null;
  readonly staff: StaffEvidence;
  /** When the exit from the queue was confirmed; counts down the hand-over. Back-dated. */
  leftQueue: Moment | null;
  /** End of its last visit: a next one cannot begin earlier. */
  visitedUntilMs: number | null;
  /** How far the feet went since the frame before up to the last sighting; null if it was not seen in that one. */
  moved: Point | null;
  /** That was no step that could follow the one before: the box changed its owner or its size. */
  jumped: boolean;
  /** Two sightings of the last second: where it was heading. */
  recent: Sighting;
  earlier: Sighting;
}

interface Birth extends Sighting {
  readonly place: Place;
  readonly doubtful: boolean;
}

export function newSubject(key: number, trackId: number, birth: Birth): Subject {
  const { box, at, place, doubtful } = birth;
  const appeared = place === 'queue' ? at : null;
  return {
    key,
    mingled: [],
    trackId,
    box,
    stature: newStature(box, at.watchedMs),
    appeared,
    foundAgain: false,
    doubtful,
    seen: at,
    missedMs: 0,
    place: null,
    inQueue: null,
    look: null,
    lookTrackId: null,
    shown: null,
    queue: noDwell(),
    checkout: noDwell(),
    visit: null,
    staff: noEvidence(),
    leftQueue: null,
    visitedUntilMs: null,
    moved: null,
    jumped: false,
    recent: { box, at },
    earlier: { box, at },
  };
}

/** This long after the first frame everybody who was there has been seen. */
const SETTLING_MS = 10_000;

/** Whether the line is known by then; who appears before has stood there already and is not doubted. */
export const isSettled = ({ watchedMs }: Moment): boolean => watchedMs >= SETTLING_MS;

const SIGHTING_EVERY_MS = 500;

/** Body heights a second, about 2 m: nobody begins or ends to walk faster. */
const LONGEST_STRIDE = 1.25;
/** Body heights: boxes shift by as much from frame to frame, however soon these follow. */
const LONGEST_SHIFT = 0.25;

/**
 * Notes where a subject is in this frame.
 * @param before the frame before; where it was supposed to stand while out of sight is no place it went from
 */
export function see(subject: Subject, track: Track, { now, before }: { now: Moment; before: Moment }): void {
  const { box } = track;
  const [x, y] = footPoint(subject.box);
  subject.box = wholeBody(subject.stature, box, now.watchedMs);
  const [toX, toY] = footPoint(subject.box);
  const seconds = (now.watchedMs - before.watchedMs) / 1000;
  const wasSeen = subject.seen.timeMs === before.timeMs && seconds > 0;
  const step: Point | null = wasSeen ? [toX - x, toY - y] : null;
  const farthest = Math.max(LONGEST_SHIFT, LONGEST_STRIDE * seconds);
  subject.jumped = isJump(subject, step, farthest);
  subject.moved = step;
  subject.seen = now;
  subject.missedMs = 0;
  noteLook(subject, track);
  if (now.watchedMs - subject.recent.at.watchedMs < SIGHTING_EVERY_MS) return;
  subject.earlier = subject.recent;
  subject.recent = { box, at: now };
}

/** Whether a step is long, and no continuation of the one before; false where either is not known. */
function isJump({ box, moved }: Subject, step: Point | null, farthest: number): boolean {
  if (!step || !moved) return false;
  const [dx, dy] = step;
  return inHeights(box, dx, dy) > farthest && inHeights(box, dx - moved[0], dy - moved[1]) > farthest;
}

/** The look of the visit's first track ends with the visit, if another track carries it now. */
export function forgetOthersLook(subject: Subject): void {
  if (subject.lookTrackId === subject.trackId) return;
  subject.look = null;
  subject.lookTrackId = null;
}

function noteLook(subject: Subject, { id, look, shown }: Track): void {
  subject.shown = shown ?? null;
  // Out of the queue the track may be that of a passer-by who took it from somebody in the line.
  if (!look || subject.leftQueue) return;
  if (subject.look && subject.lookTrackId !== id) return;
  subject.look = look;
  subject.lookTrackId ??= id;
}

/** Notes who is in the queue now without having been seen to walk there. @param place where it is now */
export function noteAppearance(subject: Subject, place: Place): void {
  const { moved, jumped, seen, appeared } = subject;
  if (place !== 'queue' || subject.place === 'queue' || hasHistory(subject)) return;
  // Born there in this frame.
  if (appeared?.timeMs === seen.timeMs) return;
  const walkedIn = moved !== null && !jumped;
  subject.appeared = walkedIn ? null : seen;
  subject.foundAgain = moved === null;
}

/** Whether there is anything a later track could continue: a visit, a stay not yet confirmed, time in the staff zone. */
export const hasHistory = ({ visit, queue, checkout, staff }: Subject): boolean =>
  visit !== null || queue.since !== null || checkout.since !== null || staff.inStaffZoneMs > 0;

/** Somebody who appeared in the middle of the queue may still turn out to be one of the line, while no stay is confirmed. */
export const isNewcomer = ({ appeared, visit, queue, checkout }: Subject): boolean =>
  appeared !== null && visit === null && !queue.inside && checkout.since === null;

/** Share of its height by which a box must have moved towards the edge in the last second. */
const MOVED = 0.05;

/**
 * Whether the last thing seen of a subject was its leaving the picture: cut by an edge and moving towards it.
 * The far side of the box tells the movement, for the near one sticks to the edge.
 */
export function wasLeavingFrame({ box, earlier }: Subject): boolean {
  const moved = MOVED * height(box);
  const from = earlier.box;
  return (
    (box.left <= AT_EDGE && from.right - box.right >= moved) ||
    (box.right >= 1 - AT_EDGE && box.left - from.left >= moved) ||
    (box.bottom >= 1 - AT_EDGE && box.top - from.top >= moved) ||
    (box.top <= AT_EDGE && from.bottom - box.bottom >= moved)
  );
}

import { area, intersection, iou } from '../geometry.ts';
import type { Box } from '../types.ts';
import type { Moment } from './dwell.ts';
import { hasStrayed, mostAlike } from './reassociate.ts';
import type { Subject } from './subject.ts';

/** Boxes that overlap by so much, or cover so much of the smaller one, may have exchanged their tracks. */
const MINGLED_IOU = 0.3;
const MINGLED_SHARE = 0.35;

const isQueueing = ({ visit, queue }: Subject): boolean => visit?.state === 'queued' || queue.since !== null;

const overlaps = (a: Box, b: Box): boolean =>
  iou(a, b) >= MINGLED_IOU || intersection(a, b) >= MINGLED_SHARE * Math.min(area(a), area(b));

/** Notes which people in the queue cannot be told apart now. */
export function noteMingled(subjects: readonly Subject[]): void {
  const queueing = subjects.filter(isQueueing);
  for (const [i, a] of queueing.entries()) {
    for (const b of queueing.slice(i + 1)) {
      if (a.mingled.includes(b.key) || !overlaps(a.box, b.box)) continue;
      a.mingled.push(b.key);
      b.mingled.push(a.key);
    }
  }
}

const enteredAt = ({ visit }: Subject): number => visit?.queueEnteredAtMs ?? Number.POSITIVE_INFINITY;

const earliest = (subjects: readonly Subject[]): Subject | null =>
  subjects.reduce<Subject | null>(
    (first, subject) => (first && enteredAt(first) <= enteredAt(subject) ? first : subject),
    null,
  );

/**
 * Of those in the queue that could not be told apart from somebody who goes to the checkout now, the one who joined
 * before him, if any: first come, first served. Only of those seen while both queued.
 */
export function firstCome(served: Subject, subjects: readonly Subject[]): Subject | null {
  return earliest(
    subjects.filter(
      (other) =>
        other.visit?.state === 'queued' &&
        other.leftQueue === null &&
        other.seen.timeMs > enteredAt(served) &&
        served.mingled.includes(other.key) &&
        enteredAt(other) < enteredAt(served),
    ),
  );
}

/**
 * Who of the queue turns up in the checkout as somebody new: who looks like that of those out of sight or whose track has
 * walked out of the queue, maybe with somebody else; if nobody does, who came first of those out of sight. All since no
 * longer than a hand-over before.
 * @param handOverMs in watched time
 */
export function missingFromQueue(
  served: Subject,
  { now, all }: { now: Moment; all: readonly Subject[] },
  handOverMs: number,
): Subject | null {
  const { watchedMs: sinceMs } = served.checkout.since!;
  const queued = all.filter(({ visit }) => visit?.state === 'queued');
  const missing = queued.filter(
    ({ seen }) => seen.watchedMs < now.watchedMs && sinceMs - seen.watchedMs <= handOverMs,
  );
  const strays = queued.filter(
    (other) => hasStrayed(other) && other.leftQueue && sinceMs - other.leftQueue.watchedMs <= handOverMs,
  );
  return mostAlike(served.shown, [...missing, ...strays]) ?? earliest(missing);
}

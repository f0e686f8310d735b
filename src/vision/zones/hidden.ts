import { area, footPoint, height, intersection, shifted } from '../geometry.ts';
import type { Box } from '../types.ts';
import type { Moment } from './dwell.ts';
import type { Subject } from './subject.ts';

/** Share of somebody's last box that another one must cover to explain why they are not seen … */
const HIDDEN_SHARE = 0.2;
/** … standing nearer to the camera, or at most this part of a height behind. */
const BEHIND = 0.05;

/** Behind whom somebody out of sight may be standing: who covers most of them now. Null: nobody covers the place. */
export function coverOf(hidden: Subject, all: readonly Subject[], now: Moment): Subject | null {
  if (hidden.place === null) return null;
  const nearest = hidden.box.bottom - BEHIND * height(hidden.box);
  let cover: Subject | null = null;
  let most = HIDDEN_SHARE * area(hidden.box);
  for (const other of all) {
    if (other.seen.timeMs !== now.timeMs || other.box.bottom < nearest) continue;
    const covered = intersection(other.box, hidden.box);
    if (covered < most) continue;
    most = covered;
    cover = other;
  }
  return cover;
}

/** A box that nobody is followed by explains less: it must cover so much … */
const COVERED_SHARE = 0.3;
/** … and stand nearer to the camera by this part of a height. */
const BEFORE = 0.05;

/** Whether any of these boxes, followed or not, hides somebody out of sight. */
export function isCovered({ box, place }: Subject, boxes: readonly Box[]): boolean {
  if (place === null) return false;
  const nearest = box.bottom + BEFORE * height(box);
  return boxes.some(
    (cover) => cover.bottom >= nearest && intersection(cover, box) >= COVERED_SHARE * area(box),
  );
}

/** Between two frames; a longer way is not walked, but a box that changed its owner or its size. */
const LONGEST_STEP = 0.25;

/** A line moves up together: who is hidden in it is supposed to step on with whom they stand behind. */
export function moveAlong(hidden: Subject, cover: Subject): void {
  if (cover.place !== 'queue' || hidden.place !== 'queue' || !cover.moved) return;
  const [dx, dy] = cover.moved;
  if (Math.hypot(dx, dy) > LONGEST_STEP * height(hidden.box)) return;
  hidden.box = shifted(hidden.box, dx, dy);
}

/** Whether somebody who stands nearer covers the feet, so that where these are is only supposed. */
export function areFeetHidden(box: Box, boxes: readonly Box[]): boolean {
  const [x] = footPoint(box);
  const least = BEFORE * height(box);
  return boxes.some(
    (cover) =>
      cover.left < x &&
      cover.right > x &&
      cover.bottom > box.bottom + least &&
      cover.top < box.bottom - least,
  );
}

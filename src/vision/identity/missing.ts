import { area, height, intersection, middleOffset, width } from '../geometry.ts';
import type { Moment } from '../moment.ts';
import type { Box } from '../types.ts';
import type { IdentityOptions } from './options.ts';
import { endOf, lastSighting, type Person } from './person.ts';

/** Who moves by less than this is standing; body heights a second. */
const WALKING = 0.3;
/** A visible person whose feet are this near, in widths and heights, stands where the missing one stood: there is no room for two. */
const SAME_PLACE = { width: 0.3, height: 0.1 };
/** After this time without a detection it is more likely than not that nobody is there. */
const DOUBT_OPEN_MS = 2_000;
/** The same for somebody behind a nearer person. */
const DOUBT_HIDDEN_MS = 10_000;
/** The same for somebody beyond the edge of the picture. */
const DOUBT_BEYOND_MS = 200;

/** What may hide a missing person. */
export interface Surroundings {
  /** Boxes that may cover a person. */
  readonly boxes: readonly Box[];
  /** Of the people whom this frame shows. */
  readonly visible: readonly Box[];
  /** Width over height of the picture. */
  readonly aspect: number;
}

/**
 * Adds the time since the frame before to a person whom this frame does not show: hidden, or open where they should have been
 * detected. Who was walking when last seen has walked on: they are hidden only while something covers the place where they
 * would be by now.
 */
export function miss(
  person: Person,
  elapsedMs: number,
  now: Moment,
  { boxes, visible, aspect }: Surroundings,
  options: IdentityOptions,
): void {
  const place = placeAt(person, now, aspect, options.straightSeconds);
  const mayHide = person.hiddenMs < options.longestHiddenMs;
  const isHidden =
    mayHide && hides(boxes, place, options) && !visible.some((other) => standsAt(other, place));
  if (isHidden) person.hiddenMs += elapsedMs;
  else person.openMs += elapsedMs;
  const missedMs = person.openMs + person.hiddenMs;
  const isBeyond = missedMs >= DOUBT_BEYOND_MS && isOutside(placeAt(person, now, aspect));
  person.isDoubtful = isBeyond || person.openMs / DOUBT_OPEN_MS + person.hiddenMs / DOUBT_HIDDEN_MS >= 1;
}

/** Where a missing person is now, if they walk on. @param seconds for which they do at most */
function placeAt(person: Person, now: Moment, aspect: number, seconds = Number.POSITIVE_INFINITY): Box {
  const { box, at } = lastSighting(person);
  const { speed } = endOf(person, aspect).motion;
  if (!speed || Math.hypot(speed.x, speed.y) < WALKING * height(box)) return box;
  const ahead = Math.min(seconds, (now.watchedMs - at.watchedMs) / 1000);
  const [dx, dy] = [(speed.x / aspect) * ahead, speed.y * ahead];
  return { left: box.left + dx, right: box.right + dx, top: box.top + dy, bottom: box.bottom + dy };
}

/** Whether half of a body or more is outside the picture. */
function isOutside({ left, top, right, bottom }: Box): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x < 0 || x > 1 || y < 0 || y > 1;
}

const standsAt = (other: Box, place: Box): boolean =>
  Math.abs(middleOffset(place, other)) < SAME_PLACE.width * width(place) &&
  Math.abs(other.bottom - place.bottom) < SAME_PLACE.height * height(place);

function hides(boxes: readonly Box[], box: Box, { coveredShare, behind }: IdentityOptions): boolean {
  const nearest = box.bottom - behind * height(box);
  return boxes.some(
    (cover) => cover.bottom >= nearest && intersection(cover, box) >= coveredShare * area(box),
  );
}

import { AT_EDGE, height } from '../geometry.ts';
import { newestOf, type Sightings } from '../identity/person.ts';
import type { Moment } from '../moment.ts';
import type { TillStays } from '../tills/till-stays.ts';
import type { Visit } from '../types.ts';
import { type Dwell, noDwell } from './dwell.ts';
import { noEvidence, type StaffEvidence } from './staff.ts';
import type { Turn } from './till-stay.ts';

/** A zone that counts people. Where both overlap, a foot point is in the checkout. */
export type ZoneName = 'queue' | 'checkout';

/** One person (or vehicle) in the zones. Plain data, so that it can move to another node. */
export interface Visitor {
  readonly personId: number;
  /** The current track of the person. */
  trackId: number;
  /** The zone of the last foot point; null outside both. */
  standsIn: ZoneName | null;
  /** The frame of the last foot point. */
  at: Moment;
  queue: Dwell;
  checkout: Dwell;
  visit: Visit | null;
  readonly staff: StaffEvidence;
  /** The last frame in the queue, once the exit is confirmed. From then on the time for a hand-over runs. */
  leftQueue: Moment | null;
  /** End of the last visit: the next one begins later. */
  visitedUntilMs: number | null;
  /** Their services until they are gone from the till; missing before the first one. */
  served?: Turn | null;
  /** In a scene with tills. */
  tills?: TillStays;
  /** With several tills: the last frame at one, once the exit is confirmed. From then on the time to reach another one runs. */
  leftTill?: Moment | null;
}

export const newVisitor = (personId: number, trackId: number, at: Moment): Visitor => ({
  ...{ personId, trackId, standsIn: null, at, queue: noDwell(), checkout: noDwell() },
  ...{ visit: null, staff: noEvidence(), leftQueue: null, visitedUntilMs: null },
});

/** Whether a checkpoint needs the visitor. */
export const hasHistory = ({ visit, queue, checkout, staff, served }: Visitor): boolean =>
  visit !== null ||
  queue.since !== null ||
  checkout.since !== null ||
  staff.inStaffZoneMs > 0 ||
  Boolean(staff.isStaff || staff.till || served);

/** Share of its height by which a box must have moved towards the edge in the last second. */
const MOVED = 0.05;

/**
 * Whether a person was leaving the frame: cut off by an edge and moving towards it. The movement is that of the far side
 * of the box, because the near side stays at the edge.
 * @param last sightings of the last second
 */
export function wasLeavingFrame(last: Sightings): boolean {
  const [from, box] = [last[0].box, newestOf(last).box];
  const moved = MOVED * height(box);
  return (
    (box.left <= AT_EDGE && from.right - box.right >= moved) ||
    (box.right >= 1 - AT_EDGE && box.left - from.left >= moved) ||
    (box.bottom >= 1 - AT_EDGE && box.top - from.top >= moved) ||
    (box.top <= AT_EDGE && from.bottom - box.bottom >= moved)
  );
}

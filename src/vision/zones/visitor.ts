import { AT_EDGE, height } from '../geometry.ts';
import type { Sighting } from '../identity/person.ts';
import type { Moment } from '../moment.ts';
import type { Visit } from '../types.ts';
import { type Dwell, noDwell } from './dwell.ts';
import { noEvidence, type StaffEvidence } from './staff.ts';

/** A zone that counts people. Where the zones overlap the checkout wins. */
export type ZoneName = 'queue' | 'checkout';

/** One person (or vehicle) and what it does in the zones; plain data, so that it can move to another node. */
export interface Visitor {
  readonly personId: number;
  /** The track that shows it now. */
  trackId: number;
  /** The zone of the last foot point; null outside both. */
  standsIn: ZoneName | null;
  at: Moment;
  queue: Dwell;
  checkout: Dwell;
  visit: Visit | null;
  readonly staff: StaffEvidence;
  /** When the exit from the queue was confirmed; counts down the hand-over. Back-dated. */
  leftQueue: Moment | null;
  /** End of its last visit: a next one cannot begin earlier. */
  visitedUntilMs: number | null;
}

export const newVisitor = (personId: number, trackId: number, at: Moment): Visitor => ({
  ...{ personId, trackId, standsIn: null, at, queue: noDwell(), checkout: noDwell() },
  ...{ visit: null, staff: noEvidence(), leftQueue: null, visitedUntilMs: null },
});

/** Whether there is anything to carry to another node. */
export const hasHistory = ({ visit, queue, checkout, staff }: Visitor): boolean =>
  visit !== null || queue.since !== null || checkout.since !== null || staff.inStaffZoneMs > 0;

/** Share of its height by which a box must have moved towards the edge in the last second. */
const MOVED = 0.05;

/**
 * Whether the last thing seen of somebody was their leaving the picture: cut by an edge and moving towards it.
 * The far side of the box tells the movement, for the near one sticks to the edge.
 * @param last sightings of the last second; at least one
 */
export function wasLeavingPicture(last: readonly Sighting[]): boolean {
  const [from, box] = [last[0]!.box, last.at(-1)!.box];
  const moved = MOVED * height(box);
  return (
    (box.left <= AT_EDGE && from.right - box.right >= moved) ||
    (box.right >= 1 - AT_EDGE && box.left - from.left >= moved) ||
    (box.bottom >= 1 - AT_EDGE && box.top - from.top >= moved) ||
    (box.top <= AT_EDGE && from.bottom - box.bottom >= moved)
  );
}

import { type Change, PlanFutures, type StaffingScene } from './plan-futures.ts';
import { type ServiceCounts, type ServiceTarget, serviceLevel } from './service-level.ts';

const MINUTE = 60;
/** When one more till may open, and for how long: advice comes again every few minutes, so that the near future has the finest steps. */
const STARTS = [1, 5, 10, 20, 30, 45].map((minutes) => minutes * MINUTE);
const LENGTHS = [15, 30, 45, 60, 90].map((minutes) => minutes * MINUTE);
/** A till that closes stays closed for at least so long: nobody closes one for a quarter of an hour. */
const CLOSED = [30, 60].map((minutes) => minutes * MINUTE);
const MOST_MORE = 3;
/** Only this share of what the target allows may be late with a till fewer, so that nobody is sent away and called back. */
const CLOSING_ROOM = 0.6;

export interface Advice {
  /** Null: leave it as it is. */
  readonly change: Change | null;
  /** Share of people who wait longer than the target, or give up later than it, 0-1: as it is, and with the change. */
  readonly lateAsItIs: number;
  readonly lateWithChange: number;
}

/**
 * The smallest change of the open tills with which the target is kept, for the shortest time; without a change where the target is kept
 * and no till can close. Where no change keeps the target, the one with which the fewest wait too long.
 */
export function adviseTills(scene: StaffingScene, target: ServiceTarget): Advice {
  const futures = new PlanFutures(scene);
  const late = (change: Change | null) => lateShare(futures.count(change, target.waitSeconds));
  const allowed = 1 - target.share;
  const lateAsItIs = late(null);
  const opens = lateAsItIs > allowed;
  const most = opens ? allowed : allowed * CLOSING_ROOM;
  let best: Change | null = null;
  let least = lateAsItIs;
  for (const change of opens ? openings(scene, futures.seconds) : closings(scene, futures.seconds)) {
    const share = late(change);
    if (share <= most) return { change, lateAsItIs, lateWithChange: share };
    if (opens && share < least) [best, least] = [change, share];
  }
  return { change: best, lateAsItIs, lateWithChange: least };
}

/** The least till time first; of equal ones the later, so that nobody opens a till before it is needed. */
function openings({ openTills, mostTills }: StaffingScene, seconds: number): Change[] {
  const changes: Change[] = [];
  for (let tills = 1; tills <= Math.min(mostTills - openTills, MOST_MORE); tills++)
    for (const from of STARTS)
      for (const length of LENGTHS)
        if (from < seconds) changes.push({ tills, from, to: Math.min(from + length, seconds) });
  const time = ({ tills, from, to }: Change): number => tills * (to - from);
  return changes.sort((a, b) => a.tills - b.tills || time(a) - time(b) || b.from - a.from);
}

/** The most saved time first. */
function closings({ openTills, leastTills }: StaffingScene, seconds: number): Change[] {
  if (openTills <= leastTills) return [];
  return [seconds, ...CLOSED.toReversed()]
    .filter((to) => to <= seconds && to >= CLOSED[0]!)
    .map((to) => ({ tills: -1, from: 0, to }));
}

const lateShare = (counts: ServiceCounts): number => 1 - (serviceLevel(counts) ?? 1);

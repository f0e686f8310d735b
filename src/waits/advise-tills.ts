import type { Target } from '../catalogue/waits/target.ts';
import { howLong } from './how-long.ts';
import { type Change, PlanFutures, type StaffingScene } from './plan-futures.ts';
import { type ServiceCounts, serviceLevel } from './service-level.ts';
import { CALL_SECONDS, TillPolicy } from './till-policy.ts';

const MINUTE = 60;
/** When one more till may be needed later, and for how long. */
const STARTS = [10, 20, 30, 45].map((minutes) => minutes * MINUTE);
const LENGTHS = [30, 60, 120].map((minutes) => minutes * MINUTE);
const MOST_MORE = 2;
/** Nobody opens or closes a till for less. */
const LEAST_LENGTH = 10 * MINUTE;

export interface Advice {
  /** Null: leave it as it is. */
  readonly change: Change | null;
  /** Share of people who wait longer than the target, or give up later than it, 0-1: as it is, and with the change. */
  readonly lateAsItIs: number;
  readonly lateWithChange: number;
}

/**
 * What to do now where something is to be done now; else the smallest change that will be needed within the hour, so that a cashier can be
 * told in time (where none keeps the target, the one with which the fewest wait too long); else nothing.
 * @param policy of this quarter of an hour; it costs more than all else, so that callers keep it
 */
export function adviseTills(
  scene: StaffingScene,
  target: Target,
  policy = new TillPolicy(scene, target),
): Advice {
  const plans = new PlanFutures(scene);
  const late = (change: Change | null) => lateShare(plans.count(change, target.waitSeconds));
  const lateAsItIs = late(null);
  const { openTills, elapsed, waited, serving } = scene;
  const people = waited.length + serving.length;
  const tills = policy.change(Math.floor(elapsed / CALL_SECONDS), openTills, people);
  if (tills !== 0 && plans.seconds > 0) {
    const lasts = howLong(scene, plans, policy, tills);
    const from = tills > 0 ? CALL_SECONDS : 0;
    const change = { tills, from, to: Math.min(from + Math.max(lasts, LEAST_LENGTH), plans.seconds) };
    return { change, lateAsItIs, lateWithChange: late(change) };
  }
  const allowed = 1 - target.share;
  let best: Advice = { change: null, lateAsItIs, lateWithChange: lateAsItIs };
  if (lateAsItIs <= allowed) return best;
  for (const change of openings(scene, plans.seconds)) {
    const lateWithChange = late(change);
    if (lateWithChange < best.lateWithChange) best = { change, lateAsItIs, lateWithChange };
    if (lateWithChange <= allowed) break;
  }
  return best;
}

/** The least till time first; of equal ones the later. */
function openings({ openTills, mostTills }: StaffingScene, seconds: number): Change[] {
  const changes: Change[] = [];
  for (let tills = 1; tills <= Math.min(mostTills - openTills, MOST_MORE); tills++)
    for (const length of LENGTHS)
      for (const from of STARTS.toReversed())
        if (from < seconds) changes.push({ tills, from, to: Math.min(from + length, seconds) });
  return changes;
}

const lateShare = (counts: ServiceCounts): number => 1 - (serviceLevel(counts) ?? 1);

import type { Target } from '../catalogue/waits/target.ts';
import { type Future, MOST_TILLS, type PlanFutures, type StaffingScene } from './plan-futures.ts';

/** A cashier who is called needs so long. */
export const CALL_SECONDS = 60;
const STEP_SECONDS = 30;
const LOOK_SECONDS = 60;
const PLAYED_SECONDS = 3600;
/** Who still waits at the end of the played time is followed for so long. */
const LONGEST_REST_SECONDS = 7200;

/** A person who waits too long costs so many seconds of a till at a target of 90 %; twice as many at one of 95 %. */
const LATE_PRICE = 60;
/** To call a cashier costs so many seconds of a till. */
const OPENING_PRICE = 150;

/**
 * What happens after the change: one more till opens where so many wait for each open till, and one closes where so few wait. As a share
 * of those whom a till serves within the target.
 */
const OPENS_AT = 1;
const CLOSES_AT = 0.1;
const CLOSES_AFTER_SECONDS = 60;

export interface NowDecision {
  /** Tills to open (above 0) or to close now. */
  readonly tills: number;
  /** Seconds until this is mostly undone; at most the played time. */
  readonly lasts: number;
}

interface Played {
  tillSeconds: number;
  late: number;
  openings: number;
  lasts: number;
}

/**
 * The change of now that costs least in till time, calls and people who wait too long. Each change is followed by a simple rule in every
 * future, because nobody keeps a till open for an hour when the line is gone after ten minutes: a plan that knows no way back is too
 * careful (a rollout in the sense of Bertsekas).
 */
export function decideNow(scene: StaffingScene, plans: PlanFutures, target: Target): NowDecision {
  const rule = ruleOf(scene, target);
  const seconds = Math.min(PLAYED_SECONDS, plans.seconds);
  const most = Math.min(scene.mostTills, MOST_TILLS);
  const latePrice = LATE_PRICE / Math.max(1 - target.share, 0.01);
  let best: NowDecision = { tills: 0, lasts: seconds };
  let least = Number.POSITIVE_INFINITY;
  for (const tills of [0, 1, 2, -1]) {
    const open = scene.openTills + tills;
    if (tills !== 0 && (open < scene.leastTills || open > most)) continue;
    const played = { tillSeconds: 0, late: 0, openings: 0, lasts: 0 };
    for (const future of plans.futures) playRule(future, tills, { ...rule, seconds, most }, played);
    const cost = played.tillSeconds + played.late * latePrice + played.openings * OPENING_PRICE;
    if (cost < least) {
      least = cost;
      best = { tills, lasts: played.lasts / plans.futures.length };
    }
  }
  return best;
}

interface Rule {
  readonly waitSeconds: number;
  readonly leastTills: number;
  /** People in the line for each open till. */
  readonly opensAt: number;
  readonly closesAt: number;
}

const SAMPLES = 64;

function ruleOf(scene: StaffingScene, { waitSeconds }: Target): Rule {
  let service = 0;
  for (let sample = 0; sample < SAMPLES; sample++)
    service += scene.service(0, (sample + 0.5) / SAMPLES) / SAMPLES;
  const inTime = waitSeconds / Math.max(service, 1);
  return {
    ...{ waitSeconds, leastTills: scene.leastTills },
    ...{ opensAt: Math.max(0.5, inTime * OPENS_AT), closesAt: inTime * CLOSES_AT },
  };
}

const ready = new Float64Array(MOST_TILLS);

function earliest(open: number): number {
  let till = 0;
  for (let other = 1; other < open; other++) if (ready[other]! < ready[till]!) till = other;
  return till;
}

/** Plays one future in steps, with this change at its begin. */
function playRule(
  { joined, service, until, ready: first }: Future,
  change: number,
  { waitSeconds, leastTills, opensAt, closesAt, seconds, most }: Rule & { seconds: number; most: number },
  played: Played,
): void {
  let open = first.length;
  for (let till = 0; till < open; till++) ready[till] = first[till]!;
  let head = 0;
  let calmSince = Number.NaN;
  let lasts = seconds;
  for (let now = 0; now < seconds + LONGEST_REST_SECONDS; now += STEP_SECONDS) {
    if (now >= seconds && !(joined[head]! < seconds)) break;
    if (now < seconds) {
      let wanted = now === 0 ? change : 0;
      if (now > 0 && now % LOOK_SECONDS === 0) {
        let line = 0;
        for (let person = head; joined[person]! <= now; person++) if (until[person]! > now) line += 1;
        if (line > closesAt * (open - 1)) calmSince = Number.NaN;
        else if (Number.isNaN(calmSince)) calmSince = now;
        if (line >= opensAt * open && open < most) wanted = 1;
        else if (open > leastTills && now - calmSince >= CLOSES_AFTER_SECONDS) wanted = -1;
        if (wanted * change < 0) lasts = Math.min(lasts, now);
      }
      if (wanted !== 0) calmSince = Number.NaN;
      for (; wanted > 0; wanted--) {
        ready[open++] = now + CALL_SECONDS;
        played.openings += 1;
        played.tillSeconds -= CALL_SECONDS;
      }
      if (wanted < 0) {
        // Who closes ends the service first.
        const till = earliest(open);
        played.tillSeconds += Math.max(0, ready[till]! - now);
        ready[till] = ready[--open]!;
      }
      played.tillSeconds += open * STEP_SECONDS;
    }
    const end = now + STEP_SECONDS;
    while (joined[head]! < end) {
      const at = joined[head]!;
      const till = earliest(open);
      const begin = Math.max(ready[till]!, at, 0);
      if (until[head]! >= Math.min(begin, end)) {
        if (begin >= end) break;
        if (begin - at > waitSeconds) played.late += 1;
        ready[till] = begin + service[head]!;
      } else played.late += 1;
      head += 1;
    }
  }
  played.lasts += lasts;
}

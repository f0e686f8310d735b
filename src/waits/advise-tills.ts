import { QUARTER_SECONDS } from './arrivals-forecast.ts';
import { luck } from './random.ts';
import { NO_SERVICE, type ServiceCounts, type ServiceTarget, serviceLevel } from './service-level.ts';

const FUTURES = 40;
const MOST_TILLS = 12;
const MOST_PEOPLE = 4000;
const ARRIVALS = 1;
const SERVICES = 2;
const PATIENCE = 3;

/** What a plan is played with. */
export interface StaffingScene {
  /** Seconds that each waiting person has waited, the first of the line first. */
  readonly waited: readonly number[];
  readonly openTills: number;
  readonly leastTills: number;
  readonly mostTills: number;
  /** People who will join in each of the next quarters of an hour: as far as is planned. */
  readonly arrivals: readonly number[];
  /** Length of a service, with the pause after it, at luck `u`. */
  service(u: number): number;
  /** Seconds after joining until somebody gives up, at luck `u`. */
  patience(u: number): number;
  readonly target: ServiceTarget;
}

/** So many tills more (or fewer) from one quarter up to another, of those that are planned. */
export interface Change {
  readonly tills: number;
  readonly from: number;
  /** Equal to the number of quarters: until the end of the plan. */
  readonly to: number;
}

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
export function adviseTills(scene: StaffingScene): Advice {
  const late = (change: Change | null): number => lateShare(countPlan(scene, change));
  const allowed = 1 - scene.target.share;
  const asItIs = late(null);
  const changes = asItIs > allowed ? openings(scene) : closings(scene);
  let best: { change: Change; late: number } | null = null;
  for (const change of changes) {
    const share = late(change);
    if (share <= allowed) return { change, lateAsItIs: asItIs, lateWithChange: share };
    if (best === null || share < best.late) best = { change, late: share };
  }
  if (asItIs > allowed && best !== null && best.late < asItIs)
    return { change: best.change, lateAsItIs: asItIs, lateWithChange: best.late };
  return { change: null, lateAsItIs: asItIs, lateWithChange: asItIs };
}

/** Fewest till quarters first; of equal ones the later, so that nobody opens a till before it is needed. */
function openings({ openTills, mostTills, arrivals }: StaffingScene): Change[] {
  const quarters = arrivals.length;
  const changes: Change[] = [];
  for (let tills = 1; tills <= mostTills - openTills; tills++)
    for (let from = 0; from < quarters; from++)
      for (let to = from + 1; to <= quarters; to++) changes.push({ tills, from, to });
  const cost = ({ tills, from, to }: Change): number => tills * (to - from);
  return changes.sort((a, b) => a.tills - b.tills || cost(a) - cost(b) || b.from - a.from);
}

/** Most saved till quarters first, at least half an hour: nobody closes a till for a quarter. */
function closings({ openTills, leastTills, arrivals }: StaffingScene): Change[] {
  const changes: Change[] = [];
  if (openTills > leastTills)
    for (let to = arrivals.length; to >= 2; to--) changes.push({ tills: -1, from: 0, to });
  return changes;
}

const lateShare = (counts: ServiceCounts): number => 1 - (serviceLevel(counts) ?? 1);

const ready = new Float64Array(MOST_TILLS);

/** People of all futures of a plan, by what becomes of them. The same futures for each plan. */
export function countPlan(scene: StaffingScene, change: Change | null): ServiceCounts {
  const counts = { ...NO_SERVICE };
  for (let future = 0; future < FUTURES; future++) playPlan(scene, change, future, counts);
  return counts;
}

function tillsAt(
  { openTills, leastTills, mostTills }: StaffingScene,
  change: Change | null,
  at: number,
): number {
  const quarter = Math.floor(at / QUARTER_SECONDS);
  const more = change !== null && quarter >= change.from && quarter < change.to ? change.tills : 0;
  return Math.min(Math.max(openTills + more, leastTills, 1), mostTills, MOST_TILLS);
}

function playPlan(scene: StaffingScene, change: Change | null, future: number, counts: Writable): void {
  const { arrivals, waited } = scene;
  for (let till = 0; till < MOST_TILLS; till++)
    // Nobody knows how long the present services have lasted: each is at a place of its own.
    ready[till] = till < scene.openTills ? scene.service(luck(future, till, 10)) * luck(future, till, 11) : 0;
  const end = arrivals.length * QUARTER_SECONDS;
  let person = 0;
  let quarter = 0;
  let at = 0;
  while (person < MOST_PEOPLE) {
    let joined: number;
    if (person < waited.length) joined = -waited[person]!;
    else {
      // Time runs in people: one person comes after a random number of expected people.
      let people = -Math.log(luck(future, ARRIVALS, person));
      while (quarter < arrivals.length) {
        const rate = arrivals[quarter]! / QUARTER_SECONDS;
        const left = ((quarter + 1) * QUARTER_SECONDS - at) * rate;
        if (left >= people) {
          at += people / rate;
          break;
        }
        people -= left;
        quarter += 1;
        at = quarter * QUARTER_SECONDS;
      }
      if (quarter >= arrivals.length || at >= end) return;
      joined = at;
    }
    serve(scene, change, future, person, joined, counts);
    person += 1;
  }
}

type Writable = { -readonly [Key in keyof ServiceCounts]: ServiceCounts[Key] };

/** Takes the till that is first ready while it is open. */
function serve(
  scene: StaffingScene,
  change: Change | null,
  future: number,
  person: number,
  joined: number,
  counts: Writable,
): void {
  const wanted = Math.max(joined, 0);
  let till = 0;
  let start = Number.POSITIVE_INFINITY;
  for (let other = 0; other < Math.min(scene.mostTills, MOST_TILLS); other++) {
    const from = opensAt(scene, change, other, Math.max(wanted, ready[other]!));
    if (from < start) {
      start = from;
      till = other;
    }
  }
  const late = scene.target.waitSeconds;
  // The wait so far is known: who waits now has not given up.
  const patience = Math.max(scene.patience(luck(future, PATIENCE, person)), wanted - joined);
  if (start - joined > patience) {
    counts[patience > late ? 'gaveUpLate' : 'gaveUpEarly'] += 1;
    return;
  }
  ready[till] = start + scene.service(luck(future, SERVICES, person));
  counts[start - joined > late ? 'late' : 'within'] += 1;
}

/** From when on this till is open at or after a moment; the first tills are the open ones. */
function opensAt(scene: StaffingScene, change: Change | null, till: number, at: number): number {
  if (till < tillsAt(scene, change, at)) return at;
  if (change === null) return Number.POSITIVE_INFINITY;
  const edge = (change.tills > 0 ? change.from : change.to) * QUARTER_SECONDS;
  return edge > at && till < tillsAt(scene, change, edge) ? edge : Number.POSITIVE_INFINITY;
}

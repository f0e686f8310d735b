import { QUARTER_SECONDS } from '../catalogue/metrics/quarter.ts';
import { luck } from './random.ts';
import { NO_SERVICE, type ServiceCounts } from './service-level.ts';

const FUTURES = 32;
export const MOST_TILLS = 16;
/** People of one future; more are beyond what a scene can hold. */
const MOST_PEOPLE = 2000;
const ARRIVALS = 1;
const SERVICES = 2;
const PATIENCE = 3;
const RUNNING = 4;

/** What plans are played with. */
export interface StaffingScene {
  /** Seconds that each waiting person has waited, the first of the line first. */
  readonly waited: readonly number[];
  /** Seconds that each running service has lasted: at most as many as tills are open. */
  readonly serving: readonly number[];
  readonly openTills: number;
  readonly leastTills: number;
  readonly mostTills: number;
  /** People who join in each quarter of an hour, from the present one on: as far as is planned. */
  readonly arrivals: readonly number[];
  /** Seconds of the first quarter that are over. */
  readonly elapsed: number;
  /** Seconds that are left of a service, with the pause after it, which has lasted `elapsed`, at luck `u`. */
  service(elapsed: number, u: number): number;
  /** Seconds from now until somebody gives up who has waited so long, at luck `u`. */
  patience(waited: number, u: number): number;
}

/** So many tills more (or fewer) than now, in seconds from now. */
export interface Change {
  readonly tills: number;
  readonly from: number;
  /** At least the planned time: until further notice. */
  readonly to: number;
}

export interface Future {
  /** In the order in which they join; `until`: when each gives up. */
  readonly people: readonly { readonly joined: number; readonly service: number; readonly until: number }[];
  /** When each open till is ready. */
  readonly ready: readonly number[];
}

/** The same futures for each plan, made once: a plan is one pass over their people. */
export class PlanFutures {
  /** Seconds that are planned. */
  readonly seconds: number;
  readonly futures: Future[];
  private readonly ready = new Float64Array(MOST_TILLS);

  constructor(scene: StaffingScene) {
    this.seconds = Math.max(0, scene.arrivals.length * QUARTER_SECONDS - scene.elapsed);
    this.futures = Array.from({ length: FUTURES }, (_, future) => makeFuture(scene, future));
  }

  /** People of all futures, by what becomes of them. */
  count(change: Change | null, waitSeconds: number): ServiceCounts {
    const counts = { ...NO_SERVICE };
    for (const future of this.futures) this.play(future, change, waitSeconds, counts);
    return counts;
  }

  private play(
    { people, ready: first }: Future,
    change: Change | null,
    waitSeconds: number,
    counts: Writable<ServiceCounts>,
  ): void {
    const { ready } = this;
    const open = first.length;
    const more = Math.min(Math.max(change?.tills ?? 0, 0), MOST_TILLS - open);
    const tills = open + more;
    // Tills from this one on are closed at a time: the added ones outside it, the taken ones inside it.
    const changed = change === null ? tills : open + Math.min(change.tills, 0);
    const from = change === null ? 0 : change.from;
    const to = change === null || change.to >= this.seconds ? Number.POSITIVE_INFINITY : change.to;
    ready.fill(from, 0, tills);
    ready.set(first);
    for (const { joined: at, service, until } of people) {
      const now = Math.max(at, 0);
      let chosen = 0;
      let start = Number.POSITIVE_INFINITY;
      for (let till = 0; till < tills; till++) {
        let begin = Math.max(ready[till]!, now);
        if (till >= changed) {
          if (more > 0) {
            if (begin >= to) continue;
          } else if (begin >= from && begin < to) begin = to;
        }
        if (begin < start) {
          start = begin;
          chosen = till;
        }
      }
      if (start > until) {
        counts[until - at > waitSeconds ? 'gaveUpLate' : 'gaveUpEarly'] += 1;
        continue;
      }
      ready[chosen] = start + service;
      counts[start - at > waitSeconds ? 'late' : 'within'] += 1;
    }
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function makeFuture(scene: StaffingScene, future: number): Future {
  const joined = scene.waited.slice(0, MOST_PEOPLE).map((seconds) => -seconds);
  arrive(scene, future, joined);
  const place = (person: number, what: number): number => luck(future, what, person);
  return {
    people: joined.map((at, person) => {
      // Who waits now has not given up: his wait so far is known.
      const rest = scene.patience(Math.max(0, -at), place(person, PATIENCE));
      const service = scene.service(0, place(person, SERVICES));
      return { joined: at, service, until: Math.max(0, at) + rest };
    }),
    ready: Array.from({ length: Math.min(scene.openTills, MOST_TILLS) }, (_, till) => {
      const lasted = scene.serving[till];
      return lasted === undefined ? 0 : scene.service(lasted, place(till, RUNNING));
    }),
  };
}

/** Time runs in people: the next comes after a random number of expected people. */
function arrive({ arrivals, elapsed }: StaffingScene, future: number, joined: number[]): void {
  let quarter = 0;
  let at = elapsed;
  for (let person = joined.length; person < MOST_PEOPLE; person++) {
    let people = -Math.log(luck(future, ARRIVALS, person));
    for (;;) {
      const expected = arrivals[quarter];
      if (expected === undefined) return;
      const rate = expected / QUARTER_SECONDS;
      const left = ((quarter + 1) * QUARTER_SECONDS - at) * rate;
      if (left > people) {
        at += people / rate;
        break;
      }
      people -= left;
      quarter += 1;
      at = quarter * QUARTER_SECONDS;
    }
    joined.push(at - elapsed);
  }
}

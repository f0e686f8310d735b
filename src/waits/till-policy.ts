import { QUARTER_SECONDS } from '../catalogue/metrics/quarter.ts';
import type { Target } from '../catalogue/waits/target.ts';
import { MOST_TILLS, type StaffingScene } from './plan-futures.ts';

/** A cashier who is called needs so long: tills are decided as often. */
export const CALL_SECONDS = 60;
const STEP_SECONDS = 10;
/** Arrivals after these quarters of an hour do not change what is best now. */
const PLANNED_QUARTERS = 5;
/** At most so many tills are opened at the same time. */
const MOST_OPENED = 2;
/** A longer line is as bad as this one. */
const MOST_PEOPLE = 300;
const SAMPLES = 64;

/** Somebody who gives up, or waits as long as the target allows and more, costs so many seconds of a till; a target of 95 % twice as many. */
const LATE_PRICE = 60;
/** To call a cashier costs so many seconds of a till. */
const OPENING_PRICE = 150;

export interface Prices {
  readonly late: number;
  readonly opening: number;
}
export const pricesOf = ({ share }: Target): Prices => ({
  late: LATE_PRICE / Math.max(1 - share, 0.01),
  opening: OPENING_PRICE,
});

/**
 * The change of tills that costs least in till time, calls, and people who wait too long or give up, for each minute, number of people, and
 * number of open tills: dynamic programming from the end of the planned time. Each change is followed by the best later ones, so a till is
 * opened for a rush before the line is there, and a short lull closes none that would be called again.
 */
export class TillPolicy {
  readonly #people: number;
  readonly #tills: number;
  readonly #minutes: number;
  readonly #changes: Int8Array;

  constructor(scene: PolicyScene, target: Target, prices = pricesOf(target)) {
    const arrivals = scene.arrivals.slice(0, PLANNED_QUARTERS);
    const tills = Math.min(scene.mostTills, MOST_TILLS);
    const shop = { ...peopleOf(scene, target), waitSeconds: target.waitSeconds };
    const people = Math.ceil(tills * (2 + (2.5 * shop.waitSeconds) / shop.service)) + 20;
    this.#people = Math.min(people, MOST_PEOPLE);
    this.#tills = tills;
    this.#minutes = (arrivals.length * QUARTER_SECONDS) / CALL_SECONDS;
    this.#changes = new Int8Array(this.#minutes * (tills + 1) * this.#people);
    let after: Float64Array[] = Array.from({ length: tills + 1 }, () => new Float64Array(this.#people));
    let played: Minute | null = null;
    let minute = this.#minutes;
    for (const joins of arrivals.toReversed()) {
      if (played?.joins !== joins) played = new Minute(joins, shop, tills, this.#people, prices);
      for (let left = QUARTER_SECONDS; left > 0; left -= CALL_SECONDS)
        after = this.#decide(--minute, played, after, scene.leastTills, prices);
    }
  }

  /** Tills to open (above 0) or to close. @param minute of the first quarter of an hour on @param people who wait or are served */
  change(minute: number, open: number, people: number): number {
    const at = this.#at(Math.min(minute, this.#minutes - 1), Math.min(open, this.#tills));
    return this.#changes[at + Math.min(people, this.#people - 1)] ?? 0;
  }

  #at(minute: number, open: number): number {
    return (minute * (this.#tills + 1) + open) * this.#people;
  }

  /** @param after what is to come costs at the end of this minute, by open tills and people */
  #decide(
    minute: number,
    played: Minute,
    after: readonly Float64Array[],
    least: number,
    prices: Prices,
  ): Float64Array[] {
    const same = after.map((costs, open) => (open < least ? costs : played.costs(open, costs)));
    return same.map((costs, open) => {
      if (open < least) return costs;
      const cheapest = costs.slice();
      const changes = this.#changes.subarray(this.#at(minute, open));
      const offer = (change: number, price: number, offered: Float64Array) =>
        offered.forEach((costs, people) => {
          const cost = costs + price;
          if (cost >= cheapest[people]!) return;
          cheapest[people] = cost;
          changes[people] = change;
        });
      for (const [at, opened] of after.slice(open + 1, open + 1 + MOST_OPENED).entries())
        offer(at + 1, prices.opening * (at + 1), played.costs(open, opened));
      // The customer of the closing till is left to the other tills. Otherwise a till that closes and opens again would end a service early.
      const closed = same.slice(least, open).at(-1);
      if (closed) offer(-1, 0, closed);
      return cheapest;
    });
  }
}

type PolicyScene = Pick<StaffingScene, 'arrivals' | 'leastTills' | 'mostTills' | 'service' | 'patience'>;

/** Mean seconds of a service, and the share of the waiting people who give up in a second. */
function peopleOf({ service, patience }: PolicyScene, { waitSeconds }: Target) {
  let [seconds, stay] = [0, 0.5];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const luck = (sample + 0.5) / SAMPLES;
    seconds += service(0, luck) / SAMPLES;
    if (patience(0, luck) >= waitSeconds) stay += 1;
  }
  return { service: Math.max(seconds, 1), givesUp: -Math.log(stay / (SAMPLES + 0.5)) / waitSeconds };
}

/** What happens in one minute with so many people who join in a quarter of an hour. */
class Minute {
  readonly joins: number;
  readonly #came: Float64Array;
  /** By open tills: the shares of so many services that end, and the prices of those who leave so many behind in the line. */
  readonly #ends: readonly Float64Array[];
  readonly #late: readonly Float64Array[];
  readonly #givesUp: number;
  readonly #price: number;
  /** Of somebody who finds the longest line that is played. */
  readonly #beyond: number;
  #left: Float64Array;

  constructor(
    joins: number,
    shop: { readonly service: number; readonly givesUp: number; readonly waitSeconds: number },
    tills: number,
    people: number,
    { late }: Prices,
  ) {
    const rate = joins / QUARTER_SECONDS;
    const upTo = <Value>(of: (open: number) => Value) =>
      Array.from({ length: tills + 1 }, (_, open) => of(open));
    this.joins = joins;
    this.#came = poisson(rate * STEP_SECONDS);
    this.#ends = upTo((open) => poisson((open * STEP_SECONDS) / shop.service));
    const lateWith = (open: number) =>
      lateBehind(Math.max(rate, open / shop.service) * shop.waitSeconds, people).map((times) => times * late);
    this.#late = upTo(lateWith);
    this.#givesUp = shop.givesUp * STEP_SECONDS;
    this.#price = late;
    this.#beyond = Math.max(...lateWith(1));
    this.#left = new Float64Array(people);
  }

  /** The costs of this minute with so many open tills, and of what is to come after it. */
  costs(open: number, after: Float64Array): Float64Array {
    const costs = after.slice();
    const [came, left] = [this.#came, this.#left];
    const last = costs.length - 1;
    const late = this.#late[open]!;
    for (let second = 0; second < CALL_SECONDS; second += STEP_SECONDS) {
      for (let people = 0; people <= last; people++) {
        let cost = 0;
        for (let more = 0; more < came.length; more++) {
          const beyond = Math.max(0, people + more - last);
          cost += came[more]! * (costs[people + more - beyond]! + beyond * this.#beyond);
        }
        left[people] = cost;
      }
      for (let people = last; people > open; people--) {
        const share = Math.min(1, (people - open) * this.#givesUp);
        // Never cheaper than to serve him: else it would pay to let a long line go.
        const price = Math.max(this.#price, late[people - open - 1]!);
        const stay = left[people]!;
        left[people] = stay + share * (left[people - 1]! + price - stay);
      }
      for (let people = 0; people <= last; people++) {
        let [cost, started] = [open * STEP_SECONDS, 0];
        const ends = this.#ends[Math.min(people, open)]!;
        for (let ended = 0; ended < ends.length; ended++) {
          const behind = people - open - ended;
          if (ended > 0 && behind >= 0) started += late[behind]!;
          cost += ends[ended]! * (left[Math.max(0, people - ended)]! + started);
        }
        costs[people] = cost;
      }
    }
    return costs;
  }
}

/**
 * How many times the target somebody waited who leaves so many behind in the line, counted only where it is more than once: as many came
 * while he waited, so that his wait has a gamma distribution. @param inTime people who come in the allowed time
 */
function lateBehind(inTime: number, most: number): Float64Array {
  const times = new Float64Array(most);
  let [term, fewer] = [Math.exp(-inTime), 0];
  for (let behind = 0; behind < most; behind++) {
    fewer += term;
    term *= inTime / (behind + 1);
    times[behind] = ((behind + 1) / inTime) * Math.min(1, fewer + term);
  }
  return times;
}

/** The shares of 0, 1, 2 … where so many are expected. */
function poisson(mean: number): Float64Array {
  const shares: number[] = [];
  let [term, rest] = [Math.exp(-mean), 1];
  while (rest > 1e-4 && shares.length < mean * 3 + 12) {
    shares.push(term);
    rest -= term;
    term *= mean / shares.length;
  }
  const last = shares.length - 1;
  return Float64Array.from(shares, (share, at) => (at === last ? share + Math.max(0, rest) : share));
}

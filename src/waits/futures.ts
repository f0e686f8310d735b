import type { Patience } from './patience.ts';
import { luck } from './random.ts';
import { MOST_POINTS, type ServicePoint, type ServicePoints } from './service-points.ts';
import type { ServiceTimes } from './service-times.ts';
import type { Silence } from './silence.ts';
import type { Turns } from './turns.ts';

/** How many futures are played: fewer in a large room, where one person more or less changes little. */
const FUTURES = { most: 96, fewer: [48, 24], fewest: 12 };
/** With more work than this (people × service points) in all futures, the next smaller number is played. */
const MOST_WORK = 96 * 2_400;
/** Work of a person beside that of looking at each point. */
const OWN_WORK = 8;
/** People who wait now; more than these are beyond what a scene can hold. */
export const MOST_WAITING = 400;
const MOST_PEOPLE = MOST_WAITING + 112;
/** What takes longer is not foreseen. */
export const HORIZON_SECONDS = 4 * 3600;
const MOST_STEPS = 2000;
/** Where the luck of people begins, beside that of the tills. */
const PEOPLE = 1000;
const CHOICES = 2000;
const ARRIVALS = 3000;

/** For each till an order of the futures: its first luck covers everything evenly, and no two tills are lucky together. */
function strataOf(futures: number): Uint8Array {
  const strata = new Uint8Array(MOST_POINTS * futures);
  for (let point = 0; point < MOST_POINTS; point++) {
    const at = point * futures;
    for (let future = 0; future < futures; future++) {
      const other = Math.floor(luck(future, point, 5000) * (future + 1));
      strata[at + future] = strata[at + other]!;
      strata[at + other] = future;
    }
  }
  return strata;
}
const stratified = (futures: number) => ({ futures, strata: strataOf(futures) });
const STRATA = [FUTURES.most, ...FUTURES.fewer].map(stratified);
const FEWEST = stratified(FUTURES.fewest);

export interface Learned {
  readonly times: ServiceTimes;
  readonly silence: Silence;
  readonly patience: Patience;
  readonly turns: Turns;
  readonly points: ServicePoints;
}

/** The line as it is. */
export interface LineNow {
  /** The first of the line first, at most `MOST_WAITING`: when each joined, and how often he was passed. */
  readonly people: readonly { readonly since: number; readonly passed: number }[];
  readonly arrivalsPerSecond: number;
}

/** A till in one future. */
interface PlayedTill {
  readonly point: ServicePoint;
  /** By how much longer than usual its services take now. */
  readonly factor: number;
  /** When it can take the next, and how many it has taken. */
  ready: number;
  taken: number;
}

/** Plays what may happen until the person who joins now is served. Nothing is made for a single future. */
export class Futures {
  /** Seconds until service begins, one for each future. */
  waits = new Float64Array(0);
  private readonly every = new Float64Array(FUTURES.most);
  private played = FEWEST;
  private tills: readonly PlayedTill[] = [];
  /** When each person gives up, and how often each was passed. */
  private readonly until = new Float64Array(MOST_PEOPLE);
  private readonly passed = new Float64Array(MOST_PEOPLE);
  /** Nobody before this place waits any more. */
  private first = 0;

  private readonly learned: Learned;

  constructor(learned: Learned) {
    this.learned = learned;
  }

  play(at: number, line: LineNow): void {
    const { points, times } = this.learned;
    this.tills = points.all.map((point) => {
      return { point, factor: times.factor(point.number, at), ready: 0, taken: 0 };
    });
    const work = (line.people.length + 1) * (this.tills.length + OWN_WORK);
    this.played = STRATA.find(({ futures }) => futures * work <= MOST_WORK) ?? FEWEST;
    const { futures } = this.played;
    this.waits = this.every.subarray(0, futures);
    for (let future = 0; future < futures; future++) {
      this.prepare(future, at, line);
      this.waits[future] = this.playOne(future, line.people.length, line.arrivalsPerSecond);
    }
  }

  private prepare(future: number, at: number, line: LineNow): void {
    const { times, patience } = this.learned;
    const { futures, strata } = this.played;
    const me = line.people.length;
    for (const till of this.tills) {
      const { point, factor } = till;
      const { number, serving } = point;
      till.taken = 0;
      const u = (strata[number * futures + future]! + luck(future, number, 0)) / futures;
      till.ready = serving
        ? times.rest(at - serving.since, factor, u) +
          this.untilBegins(point, 0, 0, me + 1, luck(future, number, 1))
        : this.untilBegins(point, point.silent, point.idle(at), me + 1, u);
    }
    let place = 0;
    for (const { since, passed } of line.people) {
      this.until[place] = patience.rest(at - since, luck(future, PEOPLE + place, 0));
      this.passed[place] = passed;
      place += 1;
    }
    this.until[me] = Number.POSITIVE_INFINITY;
    this.passed[me] = 0;
  }

  private untilBegins(point: ServicePoint, silent: number, idle: number, waiting: number, u: number): number {
    const { silence } = this.learned;
    const factor = point.eagerness * silence.lineFactor(silent, idle, waiting);
    return silence.rest(silent, idle, -Math.log(u) / factor);
  }

  private playOne(future: number, me: number, arrivalsPerSecond: number): number {
    const { times, patience } = this.learned;
    const { tills, until } = this;
    const [first] = tills;
    if (!first) return HORIZON_SECONDS;
    this.first = 0;
    let end = me + 1;
    let arrival =
      arrivalsPerSecond > 0
        ? -Math.log(luck(future, ARRIVALS, 0)) / arrivalsPerSecond
        : Number.POSITIVE_INFINITY;
    for (let step = 0; step < MOST_STEPS; step++) {
      let till = first;
      for (const other of tills) if (other.ready < till.ready) till = other;
      const now = till.ready;
      if (!(now < HORIZON_SECONDS)) break;
      while (arrival < now && end < MOST_PEOPLE) {
        until[end] = arrival + patience.rest(0, luck(future, PEOPLE + end, 0));
        this.passed[end] = 0;
        end += 1;
        arrival -= Math.log(luck(future, ARRIVALS, end)) / arrivalsPerSecond;
      }
      const place = this.choose(future, step, now, me, end);
      if (place === me) return now;
      until[place] = Number.NEGATIVE_INFINITY;
      till.taken += 1;
      const { point, factor, taken } = till;
      const { number } = point;
      till.ready =
        now +
        times.rest(0, factor, luck(future, number, 2 * taken)) +
        this.untilBegins(point, 0, 0, me + 1, luck(future, number, 2 * taken + 1));
    }
    return HORIZON_SECONDS;
  }

  /** Who is taken now; the last of those who still wait is taken if nobody before is. */
  private choose(future: number, step: number, now: number, me: number, end: number): number {
    const { until, passed } = this;
    const { turns } = this.learned;
    let last = end - 1;
    while (last > me && !(until[last]! > now)) last -= 1;
    while (this.first < last && !(until[this.first]! > now)) this.first += 1;
    for (let place = this.first; place < last; place++) {
      if (!(until[place]! > now)) continue;
      if (luck(future, CHOICES + place, step) < turns.share(passed[place]!)) return place;
      passed[place]! += 1;
    }
    return last;
  }
}

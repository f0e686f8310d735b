import type { Patience } from './patience.ts';
import { luck } from './random.ts';
import { MOST_POINTS, type ServicePoints } from './service-points.ts';
import type { ServiceTimes } from './service-times.ts';
import type { Silence } from './silence.ts';
import { passedClass, type Turns } from './turns.ts';

/** How many futures are played: fewer in a large room, where one person more or less changes little. */
const FUTURES = [96, 48, 24, 12] as const;
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
const STRATA = FUTURES.map((futures) => ({ futures, strata: strataOf(futures) }));

export interface Learned {
  readonly times: ServiceTimes;
  readonly silence: Silence;
  readonly patience: Patience;
  readonly turns: Turns;
  readonly points: ServicePoints;
}

/** The line as it is. The first of the line has place 0. */
export interface LineNow {
  count: number;
  /** Seconds that each has waited. */
  readonly waited: Float64Array;
  /** How often each was passed. */
  readonly passed: Float64Array;
  arrivalsPerSecond: number;
}

export const emptyLine = (): LineNow => ({
  count: 0,
  waited: new Float64Array(MOST_WAITING),
  passed: new Float64Array(MOST_WAITING),
  arrivalsPerSecond: 0,
});

/** Plays what may happen until the person who joins now is served. All arrays are made once, so that a future allocates nothing. */
export class Futures {
  /** Seconds until service begins, one for each future. */
  waits = new Float64Array(0);
  private readonly every = new Float64Array(FUTURES[0]);
  private played = STRATA[0]!;
  private readonly factor = new Float64Array(MOST_POINTS);
  /** When each till can take the next, and how many it has taken. */
  private readonly ready = new Float64Array(MOST_POINTS);
  private readonly taken = new Int32Array(MOST_POINTS);
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
    for (let point = 0; point < points.count; point++) this.factor[point] = times.factor(point, at);
    const work = (line.count + 1) * (points.count + OWN_WORK);
    this.played = STRATA.find(({ futures }) => futures * work <= MOST_WORK) ?? STRATA.at(-1)!;
    const { futures } = this.played;
    this.waits = this.every.subarray(0, futures);
    for (let future = 0; future < futures; future++) {
      this.prepare(future, at, line);
      this.waits[future] = this.playOne(future, line.count, line.arrivalsPerSecond);
    }
  }

  private prepare(future: number, at: number, line: LineNow): void {
    const { points, times, patience } = this.learned;
    const { futures, strata } = this.played;
    const waiting = line.count + 1;
    for (let point = 0; point < points.count; point++) {
      this.taken[point] = 0;
      const u = (strata[point * futures + future]! + luck(future, point, 0)) / futures;
      const since = points.busySince[point]!;
      this.ready[point] = Number.isNaN(since)
        ? this.untilBegins(point, points.silent[point]!, points.idle(point, at), waiting, u)
        : times.rest(at - since, this.factor[point]!, u) +
          this.untilBegins(point, 0, 0, waiting, luck(future, point, 1));
    }
    for (let place = 0; place < line.count; place++) {
      this.until[place] = patience.rest(line.waited[place]!, luck(future, PEOPLE + place, 0));
      this.passed[place] = line.passed[place]!;
    }
    this.until[line.count] = Number.POSITIVE_INFINITY;
    this.passed[line.count] = 0;
  }

  private untilBegins(point: number, silent: number, idle: number, waiting: number, u: number): number {
    const { points, silence } = this.learned;
    const factor = points.eagerness(point) * silence.lineFactor(silent, idle, waiting);
    return silence.rest(silent, idle, -Math.log(u) / factor);
  }

  private playOne(future: number, me: number, arrivalsPerSecond: number): number {
    const { points, times, patience } = this.learned;
    const { ready, taken, until } = this;
    this.first = 0;
    let end = me + 1;
    let arrival =
      arrivalsPerSecond > 0
        ? -Math.log(luck(future, ARRIVALS, 0)) / arrivalsPerSecond
        : Number.POSITIVE_INFINITY;
    for (let step = 0; step < MOST_STEPS; step++) {
      let point = 0;
      for (let other = 1; other < points.count; other++) if (ready[other]! < ready[point]!) point = other;
      const now = ready[point]!;
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
      taken[point]! += 1;
      const turn = 2 * taken[point]!;
      ready[point] =
        now +
        times.rest(0, this.factor[point]!, luck(future, point, turn)) +
        this.untilBegins(point, 0, 0, me + 1, luck(future, point, turn + 1));
    }
    return HORIZON_SECONDS;
  }

  /** Who is taken now; the last of those who still wait is taken if nobody before is. */
  private choose(future: number, step: number, now: number, me: number, end: number): number {
    const { until, passed } = this;
    const { share } = this.learned.turns;
    let last = end - 1;
    while (last > me && !(until[last]! > now)) last -= 1;
    while (this.first < last && !(until[this.first]! > now)) this.first += 1;
    for (let place = this.first; place < last; place++) {
      if (!(until[place]! > now)) continue;
      if (luck(future, CHOICES + place, step) < share[passedClass(passed[place]!)]!) return place;
      passed[place]! += 1;
    }
    return last;
  }
}

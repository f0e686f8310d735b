import type { NoWait } from '../catalogue/waits/wait-words.ts';
import { type Corrected, Correction } from './correction.ts';
import { Futures, HORIZON_SECONDS, type Learned, MOST_WAITING } from './futures.ts';
import { Patience } from './patience.ts';
import { ServicePoints, type TillState } from './service-points.ts';
import { type LocalTime, plainTime, ServiceTimes } from './service-times.ts';
import { Silence } from './silence.ts';
import { Turns } from './turns.ts';
import { weightedQuantiles } from './weighted-quantiles.ts';

/** So many services have ended before anything is said. */
export const LEARNED_SERVICES = 30;
/** Who left the line and is not served after so many seconds gave up. */
const GAVE_UP_SECONDS = 30;
/** Arrivals of these last seconds tell how many come next. */
const ARRIVALS_SECONDS = 1200;

/** Seconds until the service of a person begins who joins now, and stays. */
export interface Wait extends Corrected {
  readonly reason: null;
}
export interface UnknownWait {
  readonly median: null;
  readonly low: null;
  readonly high: null;
  readonly reason: NoWait;
}

interface Waiting {
  readonly person: string;
  readonly since: number;
  readonly ahead: number;
  readonly said: Wait | UnknownWait;
  passed: number;
}

/**
 * The wait in one line, from what happens in it, told in the order of time. Times are seconds since any midnight of UTC; what is
 * told with an earlier time than something before counts as happening now.
 */
export class WaitPredictor {
  private readonly learned: Learned;
  private readonly futures: Futures;
  private readonly correction = new Correction();
  private readonly waiting: Waiting[] = [];
  private readonly left = new Map<string, { readonly one: Waiting; readonly at: number }>();
  private now = Number.NEGATIVE_INFINITY;
  private arrivals = 0;
  private arrivedAt = 0;
  private isCovered = true;

  constructor(local: LocalTime = plainTime) {
    const silence = new Silence();
    const times = new ServiceTimes(local);
    const points = new ServicePoints(silence, times);
    this.learned = { silence, times, points, patience: new Patience(), turns: new Turns() };
    this.futures = new Futures(this.learned);
  }

  /** The time up to which everything was told. */
  get time(): number {
    return this.now;
  }

  /** People in the line. */
  get inLine(): number {
    return this.waiting.length;
  }

  /**
   * Somebody joins the line.
   * @param said what he was told then, where that is known
   * @returns what he is told
   */
  joined(person: string, at: number, said: Wait | UnknownWait = this.predict(at)): Wait | UnknownWait {
    this.pass(at);
    this.waiting.push({ person, since: this.now, ahead: this.waiting.length, said, passed: 0 });
    this.arrivals = this.arrivals * this.fading() + 1;
    this.arrivedAt = this.now;
    return said;
  }

  started(person: string, at: number, till: string | null = null): void {
    this.pass(at);
    const place = this.waiting.findIndex((one) => one.person === person);
    const one = place < 0 ? this.left.get(person)?.one : this.waiting[place];
    this.left.delete(person);
    if (place >= 0) this.take(place);
    if (one) {
      const seconds = this.now - one.since;
      this.learned.patience.add(seconds, false);
      if (one.said.reason === null) this.correction.learn(one.ahead, one.said, seconds);
    }
    this.learned.points.begin(person, this.now, till, this.waiting.length + 1);
  }

  ended(person: string, at: number): void {
    this.pass(at);
    this.learned.points.end(person, this.now);
  }

  /** Somebody leaves the line: he gave up, unless his service starts soon. */
  leftLine(person: string, at: number): void {
    this.pass(at);
    const place = this.waiting.findIndex((one) => one.person === person);
    const one = this.waiting[place];
    if (!one) return;
    this.left.set(person, { one, at: this.now });
    this.waiting.splice(place, 1);
  }

  /** Nobody knows where the person is: how long the service took, or whether he gave up, teaches nothing. */
  lost(person: string, at: number): void {
    this.pass(at);
    const place = this.waiting.findIndex((one) => one.person === person);
    if (place >= 0) this.waiting.splice(place, 1);
    this.left.delete(person);
    this.learned.points.lose(person, this.now);
  }

  /** What was learned serves another line, with other tills and a time of its own. */
  moveAway(): void {
    this.waiting.length = 0;
    this.left.clear();
    this.learned.points.forgetAll();
    this.learned.times.forgetTills();
    this.arrivals = 0;
    this.now = Number.NEGATIVE_INFINITY;
  }

  /** What is known of a till besides its services. */
  tillIs(till: string, state: TillState, at: number): void {
    this.pass(at);
    this.learned.points.know(till, state, this.now, this.waiting.length + 1);
  }

  /** From now on nobody sees the line: who waited and what was served is forgotten. */
  uncovered(at: number): void {
    this.pass(at);
    this.isCovered = false;
    this.waiting.length = 0;
    this.left.clear();
    this.learned.points.forget(this.now);
  }

  covered(at: number): void {
    this.pass(at);
    this.isCovered = true;
    this.learned.points.forget(this.now);
  }

  predict(at: number): Wait | UnknownWait {
    this.pass(at);
    if (!this.isCovered) return unknownWait('notCovered');
    const { points, times, patience } = this.learned;
    if (points.all.length === 0) return unknownWait('noServiceSeen');
    if (times.count < LEARNED_SERVICES) return unknownWait('learning');
    const arrivalsPerSecond = (this.arrivals * this.fading()) / ARRIVALS_SECONDS;
    this.futures.play(this.now, { people: this.waiting.slice(0, MOST_WAITING), arrivalsPerSecond });
    const raw = weightedQuantiles(this.futures.waits, (seconds) => patience.survival(seconds));
    if (raw.median >= HORIZON_SECONDS) return unknownWait('noServiceSeen');
    return { ...this.correction.correct({ ...raw, ahead: this.waiting.length }), reason: null };
  }

  private take(place: number): void {
    const last = this.waiting.length - 1;
    for (const [at, one] of this.waiting.slice(0, place + 1).entries()) {
      // The last is taken whatever happens to those before.
      if (at < last) this.learned.turns.ask(one.passed, at === place);
      one.passed += 1;
    }
    this.waiting.splice(place, 1);
  }

  private fading(): number {
    return Math.exp(-(this.now - this.arrivedAt) / ARRIVALS_SECONDS);
  }

  private pass(at: number): void {
    if (!Number.isFinite(at)) throw new RangeError(`A time must be a number of seconds: ${at}`);
    if (at > this.now && this.waiting.length > 0) {
      let nobody = 1;
      for (const { passed } of this.waiting) nobody *= 1 - this.learned.turns.share(passed);
      this.learned.points.pass(this.now, at, 1 - nobody, this.waiting.length);
    }
    this.now = Math.max(this.now, at);
    for (const [person, { one, at: leftAt }] of this.left) {
      if (this.now - leftAt <= GAVE_UP_SECONDS) break;
      this.learned.patience.add(leftAt - one.since, true);
      this.left.delete(person);
    }
  }
}

export const unknownWait = (reason: NoWait): UnknownWait => ({ median: null, low: null, high: null, reason });

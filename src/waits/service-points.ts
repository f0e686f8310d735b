import type { ServiceTimes } from './service-times.ts';
import { CLOSED, type Silence } from './silence.ts';

export const MOST_POINTS = 64;
/** A till counts as much as all of them after so many services. */
const SHRINK_SERVICES = 5;
const FADE_AFTER = 60;
export type TillState = 'serving' | 'free' | 'closed' | 'unknown';

/** The tills of a scene, or where nobody knows which till it is, as many unnamed ones as ever served at once. Times are in seconds. */
export class ServicePoints {
  count = 0;
  /** When the present service began; NaN while idle. */
  readonly busySince = new Float64Array(MOST_POINTS).fill(Number.NaN);
  /** Seconds of silence since the last service. */
  readonly silent = new Float64Array(MOST_POINTS);
  private readonly endedAt = new Float64Array(MOST_POINTS);
  private readonly isClosed = new Uint8Array(MOST_POINTS);
  private readonly begun = new Float64Array(MOST_POINTS);
  private readonly expected = new Float64Array(MOST_POINTS);
  private readonly names = new Map<string, number>();
  private readonly pointOf = new Map<string, number>();
  private readonly person: (string | null)[] = [];

  private readonly silence: Silence;
  private readonly times: ServiceTimes;

  constructor(silence: Silence, times: ServiceTimes) {
    this.silence = silence;
    this.times = times;
  }

  /** @param sure how sure it is that somebody waits whom an idle till would take, 0-1 */
  pass(from: number, to: number, sure: number, waiting: number): void {
    const seconds = (to - from) * sure;
    for (let point = 0; point < this.count; point++) {
      if (!Number.isNaN(this.busySince[point]!)) continue;
      const silent = this.silent[point]!;
      this.expected[point]! += this.silence.expose(silent, silent + seconds, this.idle(point, from), waiting);
      this.silent[point] = silent + seconds;
      if (this.expected[point]! > FADE_AFTER) {
        this.expected[point]! *= 0.5;
        this.begun[point]! *= 0.5;
      }
    }
  }

  begin(person: string, at: number, till: string | null, waiting: number): void {
    // Who is sent to another till leaves the first one.
    this.lose(person, at);
    const point = till === null ? this.unnamed(at) : this.named(till, at);
    if (Number.isNaN(this.busySince[point]!)) {
      this.silence.begin(this.silent[point]!, this.idle(point, at), waiting);
      this.begun[point]! += 1;
    }
    this.busySince[point] = at;
    this.isClosed[point] = 0;
    this.person[point] = person;
    this.pointOf.set(person, point);
  }

  end(person: string, at: number): void {
    const point = this.pointOf.get(person);
    this.pointOf.delete(person);
    if (point === undefined || this.person[point] !== person) return;
    this.times.add(at - this.busySince[point]!, point, this.busySince[point]!);
    this.free(point, at);
  }

  /** The service teaches nothing. */
  lose(person: string, at: number): void {
    const point = this.pointOf.get(person);
    this.pointOf.delete(person);
    if (point !== undefined && this.person[point] === person) this.free(point, at);
  }

  forgetAll(): void {
    this.names.clear();
    this.pointOf.clear();
    this.count = 0;
  }

  /** Nobody knows what happened since: services that were open teach nothing. */
  forget(at: number): void {
    this.pointOf.clear();
    for (let point = 0; point < this.count; point++) this.free(point, at);
  }

  /** The state of the till is known otherwise, by somebody who stands there. */
  know(till: string, state: TillState, at: number, waiting: number): void {
    if (state === 'unknown' || state === 'serving') return;
    const point = this.named(till, at);
    const isClosed = state === 'closed' ? 1 : 0;
    if (!Number.isNaN(this.busySince[point]!) || this.isClosed[point] === isClosed) return;
    if (isClosed === 0) this.silence.begin(this.silent[point]!, CLOSED, waiting);
    this.free(point, at);
    this.isClosed[point] = isClosed;
  }

  /** Seconds since the last service in which nobody waited; `CLOSED` of a till that is known to be closed. */
  idle(point: number, at: number): number {
    if (this.isClosed[point] === 1) return CLOSED;
    return Math.max(0, at - this.endedAt[point]! - this.silent[point]!);
  }

  /** How many times as soon as others this till begins a service. */
  eagerness(point: number): number {
    return (this.begun[point]! + SHRINK_SERVICES) / (this.expected[point]! + SHRINK_SERVICES);
  }

  private free(point: number, at: number): void {
    this.busySince[point] = Number.NaN;
    this.person[point] = null;
    this.endedAt[point] = at;
    this.silent[point] = 0;
    this.isClosed[point] = 0;
  }

  private named(till: string, at: number): number {
    let point = this.names.get(till);
    if (point === undefined) {
      point = this.fresh(at);
      for (const [name, old] of this.names) if (old === point) this.names.delete(name);
      this.names.set(till, point);
    }
    return point;
  }

  /** The one that ended last: who has been silent for long stays silent. */
  private unnamed(at: number): number {
    let best = -1;
    for (let point = 0; point < this.count; point++) {
      if (!Number.isNaN(this.busySince[point]!)) continue;
      if (best < 0 || this.endedAt[point]! > this.endedAt[best]!) best = point;
    }
    return best < 0 ? this.fresh(at) : best;
  }

  /** A new one; beyond the most, the one that has ended longest ago. */
  private fresh(at: number): number {
    let point = this.count;
    if (point < MOST_POINTS) this.count += 1;
    else {
      point = 0;
      for (let other = 1; other < MOST_POINTS; other++)
        if (this.endedAt[other]! < this.endedAt[point]!) point = other;
    }
    this.free(point, at);
    this.begun[point] = 0;
    this.expected[point] = 0;
    return point;
  }
}

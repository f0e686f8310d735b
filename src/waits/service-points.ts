import type { ServiceTimes } from './service-times.ts';
import { CLOSED, type Silence } from './silence.ts';

export const MOST_POINTS = 64;
/** A till counts as much as all of them after so many services. */
const SHRINK_SERVICES = 5;
const FADE_AFTER = 60;
export type TillState = 'serving' | 'free' | 'closed' | 'unknown';

/** A till, or an unnamed place where somebody serves. Times are in seconds. */
export class ServicePoint {
  readonly number: number;
  /** Null while idle. */
  serving: { readonly person: string; readonly since: number } | null = null;
  /** Seconds of silence since the last service. */
  silent = 0;
  endedAt = 0;
  isClosed = false;
  begun = 0;
  expected = 0;

  constructor(number: number) {
    this.number = number;
  }

  /** Seconds since the last service in which nobody waited; `CLOSED` of a till that is known to be closed. */
  idle(at: number): number {
    return this.isClosed ? CLOSED : Math.max(0, at - this.endedAt - this.silent);
  }

  /** How many times as soon as others this till begins a service. */
  get eagerness(): number {
    return (this.begun + SHRINK_SERVICES) / (this.expected + SHRINK_SERVICES);
  }

  free(at: number): void {
    this.serving = null;
    this.endedAt = at;
    this.silent = 0;
    this.isClosed = false;
  }
}

/** The tills of a scene, or where nobody knows which till it is, as many unnamed ones as ever served at once. */
export class ServicePoints {
  readonly all: ServicePoint[] = [];
  private readonly names = new Map<string, ServicePoint>();
  private readonly pointOf = new Map<string, ServicePoint>();

  private readonly silence: Silence;
  private readonly times: ServiceTimes;

  constructor(silence: Silence, times: ServiceTimes) {
    this.silence = silence;
    this.times = times;
  }

  /** @param sure how sure it is that somebody waits whom an idle till would take, 0-1 */
  pass(from: number, to: number, sure: number, waiting: number): void {
    const seconds = (to - from) * sure;
    for (const point of this.all) {
      if (point.serving) continue;
      const { silent } = point;
      point.expected += this.silence.expose(silent, silent + seconds, point.idle(from), waiting);
      point.silent = silent + seconds;
      if (point.expected > FADE_AFTER) {
        point.expected *= 0.5;
        point.begun *= 0.5;
      }
    }
  }

  begin(person: string, at: number, till: string | null, waiting: number): void {
    // Who is sent to another till leaves the first one.
    this.lose(person, at);
    const point = till === null ? this.unnamed(at) : this.named(till, at);
    if (!point.serving) {
      this.silence.begin(point.silent, point.idle(at), waiting);
      point.begun += 1;
    }
    point.serving = { person, since: at };
    point.isClosed = false;
    this.pointOf.set(person, point);
  }

  end(person: string, at: number): void {
    const point = this.pointOf.get(person);
    if (point?.serving?.person === person) {
      const { since } = point.serving;
      this.times.add(at - since, point.number, since);
    }
    this.lose(person, at);
  }

  /** The service teaches nothing. */
  lose(person: string, at: number): void {
    const point = this.pointOf.get(person);
    this.pointOf.delete(person);
    // Somebody else may be there by now.
    if (point?.serving?.person === person) point.free(at);
  }

  forgetAll(): void {
    this.names.clear();
    this.pointOf.clear();
    this.all.length = 0;
  }

  /** Nobody knows what happened since: services that were open teach nothing. */
  forget(at: number): void {
    this.pointOf.clear();
    for (const point of this.all) point.free(at);
  }

  /** The state of the till is known otherwise, by somebody who stands there. */
  know(till: string, state: TillState, at: number, waiting: number): void {
    if (state === 'unknown' || state === 'serving') return;
    const point = this.named(till, at);
    const isClosed = state === 'closed';
    if (point.serving || point.isClosed === isClosed) return;
    if (!isClosed) this.silence.begin(point.silent, CLOSED, waiting);
    point.free(at);
    point.isClosed = isClosed;
  }

  private named(till: string, at: number): ServicePoint {
    let point = this.names.get(till);
    if (point === undefined) {
      point = this.fresh(at);
      for (const [name, old] of this.names) if (old === point) this.names.delete(name);
      this.names.set(till, point);
    }
    return point;
  }

  /** The one that ended last: who has been silent for long stays silent. */
  private unnamed(at: number): ServicePoint {
    let best: ServicePoint | null = null;
    for (const point of this.all) {
      if (point.serving) continue;
      if (best === null || point.endedAt > best.endedAt) best = point;
    }
    return best ?? this.fresh(at);
  }

  /** A new one; beyond the most, the one that has ended longest ago. */
  private fresh(at: number): ServicePoint {
    const { all } = this;
    if (all.length < MOST_POINTS) {
      const added = new ServicePoint(all.length);
      added.free(at);
      all.push(added);
      return added;
    }
    const oldest = all.reduce((first, other) => (other.endedAt < first.endedAt ? other : first));
    oldest.free(at);
    oldest.begun = 0;
    oldest.expected = 0;
    return oldest;
  }
}

import type { Moment } from '../moment.ts';
import { endStay, noStays, updateStays } from '../tills/till-stays.ts';
import type { QueueParameters, Visit, VisitOutcome } from '../types.ts';
import { type DwellThresholds, noDwell, updateDwell } from './dwell.ts';
import type { VisitEnd } from './visit-states.ts';
import { closeVisit, discardVisit, enterQueue, enterService, startService } from './visit-states.ts';
import type { Visitor, ZoneName } from './visitor.ts';

const NONE: readonly Visit[] = [];

export interface VisitRulesOptions {
  /** People are served in the scene: in a checkout zone or at a till. */
  readonly hasCheckout: boolean;
  readonly nextVisitId: number;
  /** The number of tills. */
  readonly tills?: number;
}

/** The rules of a visit. They work on one person at a time; the state of a person is in their `Visitor`. */
export class VisitRules {
  nextVisitId: number;
  readonly #thresholds: DwellThresholds;
  /** Longest time from the queue to the checkout within one visit. */
  readonly #handOverMs: number;
  readonly #hasCheckout: boolean;
  readonly #tills: number;
  #changed: Visit[] = [];

  constructor(parameters: QueueParameters, options: VisitRulesOptions) {
    this.#thresholds = {
      entryMs: parameters.entryThresholdSeconds * 1000,
      exitMs: parameters.exitThresholdSeconds * 1000,
    };
    this.#handOverMs = (parameters.exitThresholdSeconds + parameters.trackingMaxAgeSeconds) * 1000;
    this.#hasCheckout = options.hasCheckout;
    this.#tills = options.tills ?? 0;
    this.nextVisitId = options.nextVisitId;
  }

  /** The visits that changed since the last call, in their present state. */
  takeChanges(): readonly Visit[] {
    if (this.#changed.length === 0) return NONE;
    const changes = this.#changed;
    this.#changed = [];
    return changes;
  }

  /**
   * Where a person stood in one frame; frames come in the order of time.
   * @param at that frame: the current one or an earlier one
   * @param now the current frame
   * @param tillId the till in the checkout
   */
  place(
    visitor: Visitor,
    standsIn: ZoneName | null,
    { at, now, tillId = null }: { at: Moment; now: Moment; tillId?: string | null },
  ): void {
    visitor.standsIn = standsIn;
    const context = { now: at, thresholds: this.#thresholds };
    if (this.#tills > 0) {
      visitor.tills ??= noStays();
      updateStays(visitor.tills, tillId, context);
    }
    const checkout = updateDwell(visitor.checkout, standsIn === 'checkout', context);
    // Back in the checkout before its exit threshold: the time in the queue was no stay.
    if (visitor.checkout.inside && standsIn === 'checkout') visitor.queue = noDwell();
    const queue = updateDwell(visitor.queue, standsIn === 'queue', context);

    if (checkout?.to === 'outside' && visitor.visit?.state === 'in_service')
      this.#leaveCheckout(visitor, visitor.visit, checkout.last, now);
    if (checkout?.to === 'inside') {
      this.#enterCheckout(visitor, checkout.since, now);
      return;
    }
    this.#noteServices(visitor);
    if (queue?.to === 'outside' && visitor.visit?.state === 'queued')
      this.#leaveQueue(visitor, visitor.visit, queue.last, now);
    // A person in service joins the queue again only after leaving the checkout.
    const mayQueue =
      visitor.leftTill || (visitor.visit?.state !== 'in_service' && (!visitor.visit || visitor.leftQueue));
    const { inside, since } = visitor.queue;
    if (inside && since && mayQueue) this.#joinQueue(visitor, since, now);
    this.expireHandOver(visitor, at, now);
  }

  /**
   * Closes a visit if the person left the queue and did not reach the checkout in time, as abandoned, or left a till and did not
   * reach another one, as completed.
   * @param at the frame up to which this is known
   */
  expireHandOver(visitor: Visitor, at: Moment, now: Moment): void {
    const { leftQueue, leftTill, visit, checkout } = visitor;
    const left = visit?.state === 'queued' ? leftQueue : leftTill;
    if (!left || !visit) return;
    const reference = checkout.since ?? at;
    if (reference.watchedMs - left.watchedMs <= this.#handOverMs) return;
    const outcome = visit.state === 'queued' ? 'abandoned' : 'completed';
    this.#close(visitor, visit, outcome, { endedAtMs: left.timeMs, decidedAtMs: now.timeMs });
  }

  /** The person is gone. If last seen outside the zone or known to have left they left; otherwise the visit is lost. */
  depart(visitor: Visitor, hasLeft: boolean, now: Moment): void {
    const { visit, standsIn } = visitor;
    if (!visit || this.#completeAfterTill(visitor, now.timeMs)) return;
    const left = visit.state === 'in_service' ? standsIn !== 'checkout' : standsIn === null;
    const outcome = left || hasLeft ? this.#outcomeOfLeaving(visit) : 'lost';
    this.#close(visitor, visit, outcome, { endedAtMs: lastInside(visitor, visit), decidedAtMs: now.timeMs });
  }

  /** The person is staff: discards the open visit and the stays. */
  discard(visitor: Visitor, now: Moment): void {
    if (visitor.visit) this.#note(visitor, discardVisit(visitor.visit, now.timeMs));
    visitor.visit = null;
    visitor.served = null;
    visitor.leftQueue = null;
    this.#forgetTills(visitor);
    visitor.queue = noDwell();
    visitor.checkout = noDwell();
  }

  /** Closes the visit with an unknown end. */
  lose(visitor: Visitor, decidedAtMs: number): void {
    const { visit } = visitor;
    if (this.#completeAfterTill(visitor, decidedAtMs)) return;
    if (visit) this.#close(visitor, visit, 'lost', { endedAtMs: lastInside(visitor, visit), decidedAtMs });
  }

  #joinQueue(visitor: Visitor, since: Moment, now: Moment): void {
    const { visit, leftQueue } = visitor;
    if (!this.#completeAfterTill(visitor, now.timeMs) && visit && leftQueue)
      this.#close(visitor, visit, 'abandoned', { endedAtMs: leftQueue.timeMs, decidedAtMs: now.timeMs });
    this.#note(visitor, enterQueue(this.#opening(visitor, now), notBefore(visitor, since)));
    // A confirmed stay in one zone ends an unconfirmed one in the other.
    visitor.checkout = noDwell();
  }

  #leaveQueue(visitor: Visitor, visit: Visit, last: Moment, now: Moment): void {
    if (!this.#hasCheckout) {
      this.#close(visitor, visit, 'completed', { endedAtMs: last.timeMs, decidedAtMs: now.timeMs });
      return;
    }
    visitor.leftQueue = last;
    this.#note(visitor, { ...visit, queueLeftAtMs: last.timeMs });
  }

  /** With several tills the person may have been sent to another one. */
  #leaveCheckout(visitor: Visitor, visit: Visit, last: Moment, now: Moment): void {
    if (this.#tills < 2) {
      this.#close(visitor, visit, 'completed', { endedAtMs: last.timeMs, decidedAtMs: now.timeMs });
      return;
    }
    visitor.leftTill = last;
    this.#note(visitor, { ...visit, serviceEndedAtMs: last.timeMs });
  }

  /** @returns whether the person had left a till: the service was seen to its end */
  #completeAfterTill(visitor: Visitor, decidedAtMs: number): boolean {
    const { leftTill, visit } = visitor;
    if (!leftTill || !visit) return false;
    this.#close(visitor, visit, 'completed', { endedAtMs: leftTill.timeMs, decidedAtMs });
    return true;
  }

  #enterCheckout(visitor: Visitor, since: Moment, now: Moment): void {
    const { visit } = visitor;
    if (visitor.leftTill && visit) {
      visitor.leftTill = null;
      visitor.queue = noDwell();
      this.#note(visitor, { ...visit, serviceEndedAtMs: null });
      return;
    }
    const startedAtMs = notBefore(visitor, since);
    if (visit) {
      const left = visitor.leftQueue ?? visitor.queue.last ?? visitor.at;
      this.#note(visitor, startService(visit, { queueLeftAtMs: left.timeMs, startedAtMs }));
    } else {
      this.#note(visitor, enterService(this.#opening(visitor, now), startedAtMs));
    }
    visitor.leftQueue = null;
    visitor.queue = noDwell();
  }

  #opening({ trackId }: Visitor, now: Moment) {
    return { id: this.nextVisitId++, trackId, decidedAtMs: now.timeMs };
  }

  #outcomeOfLeaving(visit: Visit): VisitOutcome {
    return visit.state === 'queued' && this.#hasCheckout ? 'abandoned' : 'completed';
  }

  #close(visitor: Visitor, visit: Visit, outcome: VisitOutcome, times: VisitEnd): void {
    const { serviceStartedAtMs: startedAtMs } = visit;
    if (visitor.tills) endStay(visitor.tills);
    this.#note(visitor, closeVisit(visit, outcome, times));
    if (outcome === 'completed' && startedAtMs !== null) {
      visitor.served = { sinceMs: visitor.served?.sinceMs ?? startedAtMs, untilMs: times.endedAtMs };
    }
    visitor.visit = null;
    visitor.leftQueue = null;
    this.#forgetTills(visitor);
    visitor.visitedUntilMs = times.endedAtMs;
  }

  /** A stay that goes on belongs to the next visit. */
  #forgetTills(visitor: Visitor): void {
    if (visitor.leftTill) visitor.leftTill = null;
    if (visitor.tills) visitor.tills = { ...noStays(), standsAt: visitor.tills.standsAt };
  }

  /** The person has come to a till or left it. */
  #noteServices(visitor: Visitor): void {
    const { visit, tills } = visitor;
    if (tills && visit?.state === 'in_service' && visit.services !== tills.services)
      this.#note(visitor, visit);
  }

  #note(visitor: Visitor, visit: Visit): void {
    const services = visitor.tills?.services;
    const current = { ...visit, trackId: visitor.trackId, ...(services && { services }) };
    visitor.visit = current;
    const at = this.#changed.findIndex(({ id }) => id === current.id);
    if (at === -1) this.#changed.push(current);
    else this.#changed[at] = current;
  }
}

/** The last frame in the zone of the visit; once the person has left the queue, the last frame there. */
function lastInside(visitor: Visitor, visit: Visit): number {
  const last =
    visit.state === 'in_service' ? visitor.checkout.last : (visitor.leftQueue ?? visitor.queue.last);
  return (last ?? visitor.at).timeMs;
}

/** The begin of a stay, at the earliest the end of the last visit: changes back and forth between zones may overlap. */
const notBefore = (visitor: Visitor, since: Moment): number =>
  Math.max(since.timeMs, visitor.visitedUntilMs ?? since.timeMs);

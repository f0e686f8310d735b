import type { QueueParameters, Visit, VisitOutcome } from '../types.ts';
import { type DwellThresholds, type Moment, noDwell, updateDwell } from './dwell.ts';
import { firstCome, missingFromQueue } from './mingle.ts';
import { standsAt } from './reassociate.ts';
import { forgetOthersLook, isSettled, type Place, type Subject, wasLeavingFrame } from './subject.ts';
import { closeVisit, discardVisit, enterQueue, enterService, startService } from './visit-states.ts';

const NONE: readonly Visit[] = [];
/** Somebody doubtful has to stay this many times as long; entered is still when they were first inside. */
const DOUBT = 3;
/** The same for who appeared just where somebody else stands, as long as both do: they are one person with two boxes. */
const ONE_PLACE_DOUBT = 7;

/** Turns what a person does in the zones into visits. Knows one person at a time; keeps only the next id. */
export class VisitRules {
  nextVisitId: number;
  readonly #thresholds: DwellThresholds;
  readonly #doubtfulThresholds: DwellThresholds;
  /** Longest way from the queue to the checkout that is still a hand-over. */
  readonly #handOverMs: number;
  readonly #hasCheckout: boolean;
  #changed: Visit[] = [];

  constructor(parameters: QueueParameters, options: { hasCheckout: boolean; nextVisitId: number }) {
    this.#thresholds = {
      entryMs: parameters.entryThresholdSeconds * 1000,
      exitMs: parameters.exitThresholdSeconds * 1000,
    };
    this.#doubtfulThresholds = { ...this.#thresholds, entryMs: DOUBT * this.#thresholds.entryMs };
    this.#handOverMs = (parameters.exitThresholdSeconds + parameters.trackingMaxAgeSeconds) * 1000;
    this.#hasCheckout = options.hasCheckout;
    this.nextVisitId = options.nextVisitId;
  }

  /** The visits changed since the last call, each as it is now. */
  takeChanges(): readonly Visit[] {
    if (this.#changed.length === 0) return NONE;
    const changes = this.#changed;
    this.#changed = [];
    return changes;
  }

  /** Somebody seen in this frame. */
  stand(subject: Subject, place: Place, { now, all }: { now: Moment; all: readonly Subject[] }): void {
    subject.place = place;
    if (place === 'queue') subject.inQueue = { box: subject.box, at: now };
    const context = { now, thresholds: this.#thresholds };
    const checkout = updateDwell(subject.checkout, place === 'checkout', context);
    // Back in the checkout before having left it: what seemed a new stay in the queue was none.
    if (subject.checkout.inside && place === 'checkout') subject.queue = noDwell();
    const thresholds = subject.doubtful ? this.#doubtfulThresholds : this.#thresholds;
    const queue = updateDwell(subject.queue, place === 'queue', { now, thresholds });

    if (checkout === 'left' && subject.visit?.state === 'in_service') {
      this.#close(subject, 'completed', {
        endedAtMs: subject.checkout.last!.timeMs,
        decidedAtMs: now.timeMs,
      });
    }
    if (checkout === 'entered') {
      this.#enterCheckout(subject, { now, all });
      return;
    }
    if (queue === 'left' && subject.visit?.state === 'queued') this.#leaveQueue(subject, now);
    // Somebody being served is in the queue again only once the checkout is left, however long that takes.
    if (
      subject.queue.inside &&
      subject.visit?.state !== 'in_service' &&
      (!subject.visit || subject.leftQueue)
    ) {
      if (this.#isSecondBox(subject, { now, all })) subject.queue.inside = false;
      else this.#joinQueue(subject, now);
    }
    this.#expireHandOver(subject, now);
  }

  /** Somebody of the line is found there again: it was somebody else who left the queue with their track. */
  takeBack(subject: Subject, now: Moment): void {
    subject.queue = { inside: true, since: now, last: now, outsideSince: null };
    subject.checkout = noDwell();
    subject.leftQueue = null;
    this.#note(subject, { ...subject.visit!, queueLeftAtMs: null });
  }

  /** Somebody out of sight, but not given up: only the way to the checkout runs out. */
  hide(subject: Subject, now: Moment): void {
    this.#expireHandOver(subject, now);
  }

  /** Somebody not seen for the maximum age: who was last seen outside, or walking out of the picture, has left. */
  giveUp(subject: Subject, now: Moment): void {
    const { visit, place } = subject;
    if (!visit) return;
    const inService = visit.state === 'in_service';
    const left = inService ? place !== 'checkout' : place === null;
    const outcome = left || wasLeavingFrame(subject) ? this.#outcomeOfLeaving(visit) : 'lost';
    this.#close(subject, outcome, { endedAtMs: lastInside(subject, visit).timeMs, decidedAtMs: now.timeMs });
  }

  /** Somebody turned out to be staff: what is undecided of them is discarded, and nothing they do is a visit any more. */
  discard(subject: Subject, now: Moment): void {
    if (subject.visit) this.#note(subject, discardVisit(subject.visit, now.timeMs));
    subject.visit = null;
    subject.leftQueue = null;
    subject.appeared = null;
    subject.queue = noDwell();
    subject.checkout = noDwell();
  }

  /** Nobody knows what became of it. */
  lose(subject: Subject, decidedAtMs: number): void {
    const { visit } = subject;
    if (visit) this.#close(subject, 'lost', { endedAtMs: lastInside(subject, visit).timeMs, decidedAtMs });
  }

  #isSecondBox(subject: Subject, { now, all }: { now: Moment; all: readonly Subject[] }): boolean {
    const { visit, appeared, box } = subject;
    if (visit || !appeared || !isSettled(appeared)) return false;
    if (now.watchedMs - appeared.watchedMs >= ONE_PLACE_DOUBT * this.#thresholds.entryMs) return false;
    return all.some((other) => other !== subject && standsAt(other, box));
  }

  #joinQueue(subject: Subject, now: Moment): void {
    const earlier = subject.visit;
    if (earlier) {
      this.#close(subject, 'abandoned', { endedAtMs: subject.leftQueue!.timeMs, decidedAtMs: now.timeMs });
    }
    const opening = { id: this.nextVisitId++, trackId: subject.trackId!, decidedAtMs: now.timeMs };
    this.#note(subject, enterQueue(opening, notBefore(subject, subject.queue.since!)));
    // A stay confirmed in one zone ends what was not confirmed in the other.
    subject.checkout = noDwell();
  }

  #leaveQueue(subject: Subject, now: Moment): void {
    const leftAtMs = subject.queue.last!.timeMs;
    if (!this.#hasCheckout) {
      this.#close(subject, 'completed', { endedAtMs: leftAtMs, decidedAtMs: now.timeMs });
      return;
    }
    subject.leftQueue = subject.queue.last;
    this.#note(subject, { ...subject.visit!, queueLeftAtMs: leftAtMs });
  }

  #enterCheckout(subject: Subject, { now, all }: { now: Moment; all: readonly Subject[] }): void {
    const startedAtMs = notBefore(subject, subject.checkout.since!);
    const sameVisit = subject.visit
      ? firstCome(subject, all)
      : missingFromQueue(subject, { now, all }, this.#handOverMs);
    if (sameVisit) this.#exchange(subject, sameVisit);
    const { visit } = subject;
    if (visit) {
      const left = subject.leftQueue ?? subject.queue.last ?? subject.seen;
      this.#note(subject, startService(visit, { queueLeftAtMs: left.timeMs, startedAtMs }));
    } else {
      const opening = { id: this.nextVisitId++, trackId: subject.trackId!, decidedAtMs: now.timeMs };
      this.#note(subject, enterService(opening, startedAtMs));
    }
    subject.leftQueue = null;
    subject.queue = noDwell();
    subject.mingled = [];
  }

  /** Two people turn out to be each other: the one in the checkout gets the visit of the one in the queue. */
  #exchange(served: Subject, queueing: Subject): void {
    const [theirs, own] = [queueing.visit!, served.visit];
    served.visit = theirs;
    if (own) {
      this.#note(queueing, { ...own, queueLeftAtMs: null });
    } else {
      served.leftQueue = queueing.leftQueue ?? queueing.queue.last;
      queueing.visit = null;
      forgetOthersLook(queueing);
      queueing.leftQueue = null;
      queueing.queue = noDwell();
    }
  }

  /** Out of the queue, and not on the way into the checkout in time: it gave up. */
  #expireHandOver(subject: Subject, now: Moment): void {
    const { leftQueue, visit, checkout } = subject;
    if (!leftQueue || visit?.state !== 'queued') return;
    const reference = checkout.since ?? now;
    if (reference.watchedMs - leftQueue.watchedMs <= this.#handOverMs) return;
    this.#close(subject, 'abandoned', { endedAtMs: leftQueue.timeMs, decidedAtMs: now.timeMs });
  }

  #outcomeOfLeaving(visit: Visit): VisitOutcome {
    return visit.state === 'queued' && this.#hasCheckout ? 'abandoned' : 'completed';
  }

  #close(subject: Subject, outcome: VisitOutcome, times: { endedAtMs: number; decidedAtMs: number }): void {
    this.#note(subject, closeVisit(subject.visit!, outcome, times));
    subject.visit = null;
    subject.leftQueue = null;
    subject.appeared = null;
    forgetOthersLook(subject);
    subject.visitedUntilMs = times.endedAtMs;
  }

  #note(subject: Subject, visit: Visit): void {
    const current = subject.trackId === null ? visit : { ...visit, trackId: subject.trackId };
    subject.visit = current;
    const at = this.#changed.findIndex(({ id }) => id === current.id);
    if (at === -1) this.#changed.push(current);
    else this.#changed[at] = current;
  }
}

/** Last moment in the zone the visit is in; of one that left the queue, the moment it left. */
function lastInside(subject: Subject, visit: Visit): Moment {
  const last =
    visit.state === 'in_service' ? subject.checkout.last : (subject.leftQueue ?? subject.queue.last);
  return last ?? subject.seen;
}

/** The begin of a stay; flickers between two zones may have begun it before the visit in the other one ended. */
function notBefore(subject: Subject, since: Moment): number {
  return Math.max(since.timeMs, subject.visitedUntilMs ?? since.timeMs);
}

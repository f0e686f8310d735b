import { footPoint } from '../geometry.ts';
import type { IdentityUpdate, PersonPath } from '../identity/identity-stage.ts';
import type { Moment } from '../moment.ts';
import type { Box, QueueParameters, QueueZones, Visit } from '../types.ts';
import { Area } from './polygon.ts';
import { type StaffCounts, type StaffDecisions, StaffWatch } from './staff.ts';
import { VisitRules } from './visit-rules.ts';
import { isServed, isWaiting } from './visit-states.ts';
import { hasHistory, newVisitor, type Visitor, wasLeavingPicture, type ZoneName } from './visitor.ts';

/** Everything a watcher knows, as plain data: carries a run to another process or node. */
export interface ZoneCheckpoint {
  readonly nextVisitId: number;
  readonly visitors: readonly Visitor[];
  readonly staff: StaffDecisions;
}

export interface ZoneWatcherOptions {
  readonly zones: QueueZones;
  readonly parameters: QueueParameters;
}

/** Watches who stands in which zone and turns it into visits, debounced and back-dated. One scene. */
export class ZoneWatcher {
  readonly #queueArea: Area | null;
  readonly #checkoutArea: Area | null;
  readonly #rules: VisitRules;
  readonly #staff: StaffWatch;
  /** By person. */
  readonly #visitors: Map<number, Visitor>;

  constructor({ zones, parameters }: ZoneWatcherOptions, known: ZoneCheckpoint | null = null) {
    this.#staff = new StaffWatch(zones.staffZone, known?.staff);
    this.#queueArea = zones.queueZone ? new Area(zones.queueZone.points) : null;
    this.#checkoutArea = zones.checkoutZone ? new Area(zones.checkoutZone.points) : null;
    const hasCheckout = this.#checkoutArea !== null;
    this.#rules = new VisitRules(parameters, { hasCheckout, nextVisitId: known?.nextVisitId ?? 1 });
    this.#visitors = new Map((known?.visitors ?? []).map((visitor) => [visitor.personId, visitor]));
  }

  /**
   * One frame.
   * @param people what it told of people
   * @returns the visits it changed: opened, left the queue, moved to service, closed
   */
  update({ paths, departed }: IdentityUpdate, now: Moment): readonly Visit[] {
    for (const path of paths) this.#follow(path, now);
    // Whoever is out of sight does not come to the checkout in time.
    for (const visitor of this.#visitors.values()) this.#rules.expireHandOver(visitor, now, now);
    for (const { personId, last } of departed) {
      const visitor = this.#visitors.get(personId);
      if (visitor) this.#rules.giveUp(visitor, wasLeavingPicture(last), now);
      this.#visitors.delete(personId);
    }
    return this.#rules.takeChanges();
  }

  /** The open visits. */
  get open(): readonly Visit[] {
    return [...this.#visitors.values()].flatMap(({ visit }) => visit ?? []);
  }

  /** Confirmed counts: somebody between the queue and the checkout is in neither. */
  counts(): { queued: number; inService: number } {
    const visits = this.open;
    return { queued: visits.filter(isWaiting).length, inService: visits.filter(isServed).length };
  }

  /** The zone a person counts in: confirmed, not merely where its feet are. */
  zoneOf(personId: number | undefined): ZoneName | null {
    const visit = this.#visitorOf(personId)?.visit;
    if (!visit) return null;
    return isServed(visit) ? 'checkout' : isWaiting(visit) ? 'queue' : null;
  }

  /** From the decision on staff are in no count. */
  isStaff(personId: number | undefined): boolean {
    return this.#visitorOf(personId)?.staff.isStaff ?? false;
  }

  /** Null where there is no staff zone. */
  get staff(): StaffCounts | null {
    return this.#staff.counts([...this.#visitors.values()].map(({ staff }) => staff));
  }

  /** At stop: nobody sees any more how the open visits end, so they are lost, at the last frame. */
  closeAll(timeMs: number): readonly Visit[] {
    for (const visitor of this.#visitors.values()) this.#rules.lose(visitor, timeMs);
    this.#visitors.clear();
    return this.#rules.takeChanges();
  }

  checkpoint(): ZoneCheckpoint {
    return {
      nextVisitId: this.#rules.nextVisitId,
      visitors: [...this.#visitors.values()].filter(hasHistory),
      staff: this.#staff.decisions,
    };
  }

  #visitorOf(personId: number | undefined): Visitor | undefined {
    return personId === undefined ? undefined : this.#visitors.get(personId);
  }

  #follow({ personId, trackId, path }: PersonPath, now: Moment): void {
    let visitor = this.#visitors.get(personId);
    if (!visitor) {
      visitor = newVisitor(personId, trackId, path[0]!.at);
      this.#visitors.set(personId, visitor);
    }
    visitor.trackId = trackId;
    if (visitor.visit && visitor.visit.trackId !== trackId) visitor.visit = { ...visitor.visit, trackId };
    for (const { box, at, isSeen, hasHiddenFeet } of path) {
      const before = visitor.at;
      const isDecided = isSeen && this.#staff.see(visitor.staff, box, { now: at, before });
      if (isDecided) this.#rules.discard(visitor, now);
      visitor.at = at;
      const standsIn = this.#zoneAt(box);
      // Where hidden feet seem to be says nothing against where they were: nobody leaves a zone by being covered.
      if (hasHiddenFeet && visitor.standsIn !== null && standsIn !== visitor.standsIn) continue;
      if (visitor.staff.isStaff) visitor.standsIn = standsIn;
      else this.#rules.stand(visitor, standsIn, { at, now });
    }
  }

  #zoneAt(box: Box): ZoneName | null {
    const foot = footPoint(box);
    if (this.#checkoutArea?.contains(foot)) return 'checkout';
    return this.#queueArea?.contains(foot) ? 'queue' : null;
  }
}

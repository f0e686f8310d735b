import { Area } from '../../catalogue/zones/polygon.ts';
import { footPoint } from '../geometry.ts';
import type { IdentityUpdate, PersonPath } from '../identity/identity-stage.ts';
import type { Moment } from '../moment.ts';
import { hasCheckout } from '../scene-zones.ts';
import { TillAreas } from '../tills/till-areas.ts';
import type { Box, QueueParameters, QueueZones, Visit } from '../types.ts';
import { noDwell } from './dwell.ts';
import { type StaffCounts, type StaffDecisions, type StaffReason, StaffWatch } from './staff.ts';
import { VisitRules } from './visit-rules.ts';
import { isServed, isWaiting } from './visit-states.ts';
import { hasHistory, newVisitor, type Visitor, wasLeavingFrame, type ZoneName } from './visitor.ts';

/** The state of a watcher, as plain data. */
export interface ZoneCheckpoint {
  readonly nextVisitId: number;
  readonly visitors: readonly Visitor[];
  readonly staff: StaffDecisions;
}

export interface ZoneWatcherOptions {
  readonly zones: QueueZones;
  readonly parameters: QueueParameters;
}

/** Turns the paths of people into visits, debounced and back-dated. One instance per scene. */
export class ZoneWatcher {
  readonly #queueArea: Area | null;
  readonly #checkoutArea: Area | null;
  readonly #tills: TillAreas | null;
  readonly #rules: VisitRules;
  readonly #staff: StaffWatch;
  /** By person. */
  readonly #visitors: Map<number, Visitor>;
  /** Tills at which the last frame shows a customer, and those at whose staff side it shows somebody. */
  readonly occupied = new Set<string>();
  readonly staffed = new Set<string>();

  constructor({ zones, parameters }: ZoneWatcherOptions, known: ZoneCheckpoint | null = null) {
    this.#staff = new StaffWatch(zones, parameters.class, known?.staff);
    this.#queueArea = zones.queueZone ? new Area(zones.queueZone.points) : null;
    this.#checkoutArea = zones.checkoutZone ? new Area(zones.checkoutZone.points) : null;
    this.#tills = zones.tills ? new TillAreas(zones.tills) : null;
    this.#rules = new VisitRules(parameters, {
      ...{ hasCheckout: hasCheckout(zones), nextVisitId: known?.nextVisitId ?? 1 },
      tills: zones.tills?.length ?? 0,
    });
    this.#visitors = new Map((known?.visitors ?? []).map((visitor) => [visitor.personId, visitor]));
  }

  /**
   * One frame.
   * @returns the visits that changed: opened, left the queue, moved to service, closed
   */
  update({ paths, departed }: IdentityUpdate, now: Moment): readonly Visit[] {
    this.occupied.clear();
    this.staffed.clear();
    for (const path of paths) this.#follow(path, now);
    // Also for people out of sight: they did not reach the checkout in time.
    for (const visitor of this.#visitors.values()) this.#rules.expireHandOver(visitor, now, now);
    for (const { personId, last, wasCovered } of departed) {
      const visitor = this.#visitors.get(personId);
      // Who is covered in a line and not found again has mostly moved on in it, as somebody new.
      const hasLeft = wasLeavingFrame(last) || (wasCovered && visitor?.visit?.state === 'in_service');
      if (visitor) this.#rules.depart(visitor, hasLeft, now);
      this.#visitors.delete(personId);
      if (visitor) this.#endTurn(visitor);
    }
    return this.#rules.takeChanges();
  }

  /** Nobody is known. */
  get isEmpty(): boolean {
    return this.#visitors.size === 0;
  }

  /** The open visits. */
  get open(): readonly Visit[] {
    return [...this.#visitors.values()].flatMap(({ visit }) => visit ?? []);
  }

  /** The open visits of people for whom this is true. */
  openOf(isWanted: (personId: number) => boolean): readonly Visit[] {
    return [...this.#visitors.values()].flatMap(({ visit, personId }) =>
      visit && isWanted(personId) ? visit : [],
    );
  }

  /** Confirmed counts. A person between queue and checkout is in neither. @param doubtful visits that do not count */
  counts(doubtful: readonly Visit[]): { queued: number; inService: number } {
    const visits = this.open.filter((visit) => !doubtful.includes(visit));
    return { queued: visits.filter(isWaiting).length, inService: visits.filter(isServed).length };
  }

  /** The zone that counts a person: of the confirmed stay, not of the foot point. */
  zoneOf(personId: number | undefined): ZoneName | null {
    const visit = this.#visitorOf(personId)?.visit;
    if (!visit) return null;
    return isServed(visit) ? 'checkout' : isWaiting(visit) ? 'queue' : null;
  }

  isStaff(personId: number | undefined): boolean {
    return this.#visitorOf(personId)?.staff.isStaff ?? false;
  }

  /** Null where nobody was found to be staff, in a scene without a staff zone. */
  get staff(): StaffCounts | null {
    return this.#staff.counts([...this.#visitors.values()]);
  }

  /** Why a person who is staff is. */
  get staffReason(): StaffReason {
    return this.#staff.reason;
  }

  /** The view is another one. */
  forgetPlaces(): void {
    this.#staff.forgetPlaces();
  }

  /** Ends all open visits as `lost`, as nobody sees how they end. @param timeMs of the last frame */
  closeAll(timeMs: number): readonly Visit[] {
    for (const visitor of this.#visitors.values()) this.#rules.lose(visitor, timeMs);
    this.#visitors.clear();
    return this.#rules.takeChanges();
  }

  /** @param isExact also visitors of whom nothing is known yet but that they are there */
  checkpoint(isExact = false): ZoneCheckpoint {
    const visitors = [...this.#visitors.values()];
    return {
      nextVisitId: this.#rules.nextVisitId,
      visitors: isExact ? visitors : visitors.filter(hasHistory),
      staff: this.#staff.decisions,
    };
  }

  #visitorOf(personId: number | undefined): Visitor | undefined {
    return personId === undefined ? undefined : this.#visitors.get(personId);
  }

  #follow({ personId, trackId, path }: PersonPath, now: Moment): void {
    let visitor = this.#visitors.get(personId);
    if (!visitor) {
      visitor = newVisitor(personId, trackId, path[0].at);
      this.#visitors.set(personId, visitor);
    }
    visitor.trackId = trackId;
    if (visitor.visit && visitor.visit.trackId !== trackId) visitor.visit = { ...visitor.visit, trackId };
    for (const { box, at, isSeen, hasHiddenFeet } of path) {
      const before = visitor.at;
      const { standsIn, tillId } = this.#placeOf(box, visitor.tills?.standsAt);
      if (this.#tills && isSeen && at.timeMs === now.timeMs)
        this.#noteTill(this.#tills, visitor, { box, tillId });
      if (isSeen) this.#seeStaff(visitor, box, { at, before, now, isInLine: standsIn === 'queue' });
      visitor.at = at;
      // A box with hidden feet ends too high, so it is no evidence that the person left the zone.
      const isElsewhere = standsIn !== visitor.standsIn || tillId !== (visitor.tills?.standsAt ?? null);
      // But who serves often hides the feet of the customer at a till from its begin.
      const hasCome = tillId !== null && !visitor.tills?.standsAt;
      if (hasHiddenFeet && visitor.standsIn !== null && isElsewhere && !hasCome) continue;
      if (visitor.staff.isStaff) visitor.standsIn = standsIn;
      else this.#rules.place(visitor, standsIn, { at, now, tillId });
    }
    if (visitor.served && visitor.visit?.state !== 'in_service' && !visitor.staff.isAtTill)
      this.#endTurn(visitor);
  }

  #noteTill(
    tills: TillAreas,
    { staff }: Visitor,
    { box, tillId }: { box: Box; tillId: string | null },
  ): void {
    const staffed = tills.staffAt(footPoint(box));
    if (staffed !== null) this.staffed.add(staffed);
    else if (tillId !== null && !staff.isStaff) this.occupied.add(tillId);
  }

  #seeStaff(
    visitor: Visitor,
    box: Box,
    { at, before, now, isInLine }: { at: Moment; before: Moment; now: Moment; isInLine: boolean },
  ): void {
    const { staff, visit } = visitor;
    const hasQueued = typeof visit?.queueEnteredAtMs === 'number';
    const decided = this.#staff.see(staff, box, { now: at, before, isInLine, hasQueued });
    if (decided === 'staff') this.#rules.discard(visitor, now);
    // Their time in line counts from its begin.
    if (decided === 'customer') visitor.queue = { ...noDwell(), since: staff.inLineSince!, last: at };
  }

  /** The person is gone from the till after being served there. */
  #endTurn({ served, personId }: Visitor): void {
    if (!served) return;
    const others = [...this.#visitors.values()].filter((other) => other.personId !== personId);
    this.#staff.count(
      served,
      others.map(({ staff }) => staff),
    );
    const visitor = this.#visitors.get(personId);
    if (visitor) visitor.served = null;
  }

  /** @param before the till at which the person was */
  #placeOf(box: Box, before: string | null = null): { standsIn: ZoneName | null; tillId: string | null } {
    const foot = footPoint(box);
    const tillId = this.#tills?.at(foot, before) ?? null;
    if (tillId !== null) return { standsIn: 'checkout', tillId };
    if (this.#tills && this.#tills.staffAt(foot) !== null) return { standsIn: null, tillId };
    if (this.#checkoutArea?.contains(foot)) return { standsIn: 'checkout', tillId };
    return { standsIn: this.#queueArea?.contains(foot) ? 'queue' : null, tillId };
  }
}

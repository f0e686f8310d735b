import { Area } from '../../catalogue/zones/polygon.ts';
import { footPoint } from '../geometry.ts';
import type { Moment } from '../moment.ts';
import type { AnalysisClass, Box, QueueZones } from '../types.ts';
import { type StaffPlace, TillRule, type TillStay, type Turn } from './till-stay.ts';

/** A person is staff after having been seen for this long … */
const LEAST_SEEN_MS = 60_000;
/** … with at least this share of the time in the staff zone. */
const STAFF_SHARE = 0.5;
/** Who was found to be staff without a staff zone and stands in line for so long is a customer. */
const IN_LINE_MS = 30_000;
const MOST_MEMBERS = 20;

/** `staff_zone`: mostly in the drawn zone. `stays_at_till`: at one place at the till while others were served. */
export const STAFF_REASONS = ['staff_zone', 'stays_at_till'] as const;
export type StaffReason = (typeof STAFF_REASONS)[number];

/** Decides whether one person is staff. Plain data, so that it can move to another node; watched time. */
export interface StaffEvidence {
  firstSeenMs: number | null;
  /** Each sighting adds the time since the frame before; the first one adds none. */
  seenMs: number;
  inStaffZoneMs: number;
  /** In a scene with a staff zone it stays true wherever the person goes. */
  isStaff: boolean;
  /** Time of the frame of the decision. */
  decidedAtMs?: number;
  /** The rest is used without a staff zone. */
  till?: TillStay | null;
  isAtTill?: boolean;
  /** Was in line before. */
  hasQueued?: boolean;
  /** Staff stands in line since then. */
  inLineSince?: Moment | null;
}

export const noEvidence = (): StaffEvidence => ({
  ...{ firstSeenMs: null, seenMs: 0, inStaffZoneMs: 0, isStaff: false },
});

/** The decisions of a run. Plain data. */
export interface StaffDecisions {
  readonly people: number;
  readonly decisionMsSum: number;
  readonly longestDecisionMs: number;
  /** Missing with a staff zone. */
  readonly places?: readonly StaffPlace[];
}

export const NO_DECISIONS: StaffDecisions = { people: 0, decisionMsSum: 0, longestDecisionMs: 0 };

/** One person who is staff now. */
export interface StaffMember {
  readonly trackId: number;
  readonly reason: StaffReason;
  readonly decidedAtMs: number | null;
  /** Watched seconds in the staff zone, or at the place at the till. */
  readonly seconds: number;
  /** How many others were served meanwhile, one after the other; null with a staff zone. */
  readonly othersServed: number | null;
}

/** The staff of a scene. Plain JSON. */
export interface StaffCounts {
  /** In the scene now. */
  readonly present: number;
  /** Decisions since the run began; a person who comes back is decided again. */
  readonly people: number;
  /** Watched seconds from the first sighting to the decision, rounded to tenths; null before the first decision. */
  readonly meanDecisionSeconds: number | null;
  readonly longestDecisionSeconds: number | null;
  /** Those who are present, at most 20. */
  readonly members: readonly StaffMember[];
}

/** What is known of a person in the frame of a sighting. */
export interface SeenPerson {
  readonly now: Moment;
  /** The frame before this one, whether or not it showed the person. */
  readonly before: Moment;
  readonly isInLine: boolean;
  /** The open visit of the person began in the queue. */
  readonly hasQueued: boolean;
}

interface Candidate {
  readonly trackId: number;
  readonly staff: StaffEvidence;
}

/**
 * Distinguishes staff from customers. With a staff zone, or a staff side of each till, a person is staff once at least half of at least 60 s of being
 * seen were in it; later positions do not change the decision. Without one, who stays at the till while others are served
 * is staff, until they stand in line. One instance per scene.
 */
export class StaffWatch {
  /** Where staff stand; empty where nobody has drawn it. */
  readonly #areas: readonly Area[];
  readonly #till: TillRule | null;
  #decisions: StaffDecisions;

  constructor(
    { staffZone, checkoutZone, tills = [] }: QueueZones,
    ofClass: AnalysisClass = 'person',
    decisions: StaffDecisions = NO_DECISIONS,
  ) {
    const sides = tills.flatMap(({ staffPoints }) => (staffPoints ? [staffPoints] : []));
    // A till without a staff side may have staff among its customers.
    const isDrawn = staffZone !== undefined || (tills.length > 0 && sides.length === tills.length);
    const drawn = staffZone ? [staffZone.points, ...sides] : sides;
    this.#areas = isDrawn ? drawn.map((points) => new Area(points)) : [];
    const places = checkoutZone ? [checkoutZone, ...tills] : tills;
    const hasRule = !isDrawn && places.length > 0 && ofClass === 'person';
    this.#till = hasRule ? new TillRule(places, decisions.places) : null;
    this.#decisions = decisions;
  }

  /** Adds a sighting to `evidence`. @returns whether it decided that the person is staff, or a customer after all */
  see(evidence: StaffEvidence, box: Box, seen: SeenPerson): 'staff' | 'customer' | null {
    const { now, before } = seen;
    if (evidence.firstSeenMs === null) evidence.firstSeenMs = now.watchedMs;
    else {
      const elapsedMs = now.watchedMs - before.watchedMs;
      if (this.#areas.length > 0) return this.#seeInZone(evidence, box, now, elapsedMs);
      if (this.#till) return this.#seeAtTill(evidence, box, elapsedMs, seen, this.#till);
    }
    return null;
  }

  /** Somebody who is no staff was served and has left. @param others all but that person */
  count(turn: Turn, others: Iterable<StaffEvidence>): void {
    for (const { till, isStaff } of others) if (till && !isStaff) this.#till?.count(till, turn);
  }

  /** The view is another one. */
  forgetPlaces(): void {
    this.#till?.forgetAll();
  }

  /** @param everybody in the scene now @returns null where nobody can be staff, or without a staff zone before the first decision */
  counts(everybody: readonly Candidate[]): StaffCounts | null {
    const { people, decisionMsSum, longestDecisionMs } = this.#decisions;
    if (this.#areas.length === 0 && (!this.#till || people === 0)) return null;
    const present = everybody.filter(({ staff }) => staff.isStaff);
    return {
      present: present.length,
      people,
      meanDecisionSeconds: people === 0 ? null : inSeconds(decisionMsSum / people),
      longestDecisionSeconds: people === 0 ? null : inSeconds(longestDecisionMs),
      members: present.slice(0, MOST_MEMBERS).map((one) => this.#memberOf(one)),
    };
  }

  get reason(): StaffReason {
    return this.#areas.length > 0 ? 'staff_zone' : 'stays_at_till';
  }

  /** For a checkpoint. */
  get decisions(): StaffDecisions {
    return this.#till ? { ...this.#decisions, places: this.#till.places } : this.#decisions;
  }

  #seeInZone(evidence: StaffEvidence, box: Box, now: Moment, elapsedMs: number) {
    if (evidence.isStaff) return null;
    evidence.seenMs += elapsedMs;
    const foot = footPoint(box);
    if (this.#areas.some((area) => area.contains(foot))) evidence.inStaffZoneMs += elapsedMs;
    const { seenMs, inStaffZoneMs } = evidence;
    if (seenMs < LEAST_SEEN_MS || inStaffZoneMs < STAFF_SHARE * seenMs) return null;
    return this.#decide(evidence, now);
  }

  #seeAtTill(
    evidence: StaffEvidence,
    box: Box,
    elapsedMs: number,
    { now, isInLine, hasQueued }: SeenPerson,
    rule: TillRule,
  ) {
    evidence.isAtTill = rule.isAtTill(box) && !isInLine;
    if (hasQueued) evidence.hasQueued = true;
    const { isAtTill, isStaff } = evidence;
    // A place stays that of staff, who may be elsewhere for as long as they like.
    if (!isStaff || isAtTill)
      evidence.till = rule.see(evidence.till ?? null, box, { now, elapsedMs, isAtTill });
    if (isStaff) return this.#checkLine(evidence, box, isInLine ? now : null, rule);
    if (!evidence.till || !rule.isStaff(evidence.till, box, evidence.hasQueued === true)) return null;
    rule.remember(evidence.till, box);
    return this.#decide(evidence, now);
  }

  #checkLine(evidence: StaffEvidence, box: Box, inLine: Moment | null, rule: TillRule) {
    const since = inLine && (evidence.inLineSince ?? inLine);
    evidence.inLineSince = since;
    if (!inLine || !since || inLine.watchedMs - since.watchedMs < IN_LINE_MS) return null;
    if (evidence.till) rule.forget([evidence.till.x, evidence.till.y], box);
    Object.assign(evidence, { isStaff: false, till: null, hasQueued: true });
    return 'customer';
  }

  #decide(evidence: StaffEvidence, now: Moment) {
    evidence.isStaff = true;
    evidence.decidedAtMs = now.timeMs;
    const decisionMs = now.watchedMs - evidence.firstSeenMs!;
    const { people, decisionMsSum, longestDecisionMs } = this.#decisions;
    this.#decisions = {
      people: people + 1,
      decisionMsSum: decisionMsSum + decisionMs,
      longestDecisionMs: Math.max(longestDecisionMs, decisionMs),
    };
    return 'staff' as const;
  }

  #memberOf({ trackId, staff: { decidedAtMs, inStaffZoneMs, till } }: Candidate): StaffMember {
    const isByZone = this.#areas.length > 0;
    return {
      ...{ trackId, reason: this.reason, decidedAtMs: decidedAtMs ?? null },
      seconds: inSeconds(isByZone ? inStaffZoneMs : (till?.hereMs ?? 0)),
      othersServed: isByZone ? null : (till?.turns ?? 0),
    };
  }
}

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10;

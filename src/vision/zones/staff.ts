import { footPoint } from '../geometry.ts';
import type { Moment } from '../moment.ts';
import type { Box, Polygon } from '../types.ts';
import { Area } from './polygon.ts';

/** A person is staff once they were seen for so long … */
const LEAST_SEEN_MS = 60_000;
/** … and at least this share of it in the staff zone. */
const STAFF_SHARE = 0.5;

/** What says of one person whether they are staff. Plain data, so that it can move to another node; watched time. */
export interface StaffEvidence {
  firstSeenMs: number | null;
  /** Each sighting counts for the time since the frame before; the first one for none. */
  seenMs: number;
  inStaffZoneMs: number;
  /** Stays true: who works here does so also elsewhere in the picture. */
  isStaff: boolean;
}

export const noEvidence = (): StaffEvidence => ({
  firstSeenMs: null,
  seenMs: 0,
  inStaffZoneMs: 0,
  isStaff: false,
});

/** The decisions of a run. Plain data. */
export interface StaffDecisions {
  readonly people: number;
  readonly decisionMsSum: number;
  readonly longestDecisionMs: number;
}

const NO_DECISIONS: StaffDecisions = { people: 0, decisionMsSum: 0, longestDecisionMs: 0 };

/** What a run tells of its staff. Plain JSON. */
export interface StaffCounts {
  /** Followed now. */
  readonly present: number;
  /** Decided since the run began; somebody who goes away and comes back is decided again. */
  readonly people: number;
  /** Watched seconds from the first sighting to the decision, rounded to tenths; null before the first decision. */
  readonly meanDecisionSeconds: number | null;
  readonly longestDecisionSeconds: number | null;
}

/**
 * Tells staff from customers: a person is staff once at least half of at least 60 s of being seen lay in the staff
 * zone. Where they stood after that decides nothing any more. One scene.
 */
export class StaffWatch {
  readonly #area: Area | null;
  #decisions: StaffDecisions;

  /** @param zone where staff are; without one nobody is staff */
  constructor(zone: Polygon | undefined, decisions: StaffDecisions = NO_DECISIONS) {
    this.#area = zone ? new Area(zone.points) : null;
    this.#decisions = decisions;
  }

  /**
   * Notes a sighting. Changes `evidence`.
   * @param before the frame before this one, whether or not the person was seen in it
   * @returns whether this sighting decided it
   */
  see(evidence: StaffEvidence, box: Box, { now, before }: { now: Moment; before: Moment }): boolean {
    if (!this.#area || evidence.isStaff) return false;
    if (evidence.firstSeenMs === null) {
      evidence.firstSeenMs = now.watchedMs;
      return false;
    }
    const elapsedMs = now.watchedMs - before.watchedMs;
    evidence.seenMs += elapsedMs;
    if (this.#area.contains(footPoint(box))) evidence.inStaffZoneMs += elapsedMs;
    const { seenMs, inStaffZoneMs } = evidence;
    if (seenMs < LEAST_SEEN_MS || inStaffZoneMs < STAFF_SHARE * seenMs) return false;
    evidence.isStaff = true;
    this.#count(now.watchedMs - evidence.firstSeenMs);
    return true;
  }

  /** @param everybody who is followed now @returns null where there is no staff zone */
  counts(everybody: readonly StaffEvidence[]): StaffCounts | null {
    if (!this.#area) return null;
    const { people, decisionMsSum, longestDecisionMs } = this.#decisions;
    return {
      present: everybody.filter(({ isStaff }) => isStaff).length,
      people,
      meanDecisionSeconds: people === 0 ? null : inSeconds(decisionMsSum / people),
      longestDecisionSeconds: people === 0 ? null : inSeconds(longestDecisionMs),
    };
  }

  /** To go on from in another process or node. */
  get decisions(): StaffDecisions {
    return this.#decisions;
  }

  #count(decisionMs: number): void {
    const { people, decisionMsSum, longestDecisionMs } = this.#decisions;
    this.#decisions = {
      people: people + 1,
      decisionMsSum: decisionMsSum + decisionMs,
      longestDecisionMs: Math.max(longestDecisionMs, decisionMs),
    };
  }
}

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10;

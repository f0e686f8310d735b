import { footPoint } from '../geometry.ts';
import type { Moment } from '../moment.ts';
import type { Box, Polygon } from '../types.ts';
import { Area } from './polygon.ts';

/** A person is staff after having been seen for this long … */
const LEAST_SEEN_MS = 60_000;
/** … with at least this share of the time in the staff zone. */
const STAFF_SHARE = 0.5;

/** Decides whether one person is staff. Plain data, so that it can move to another node; watched time. */
export interface StaffEvidence {
  firstSeenMs: number | null;
  /** Each sighting adds the time since the frame before; the first one adds none. */
  seenMs: number;
  inStaffZoneMs: number;
  /** Stays true wherever the person goes. */
  isStaff: boolean;
}

export const noEvidence = (): StaffEvidence => ({
  ...{ firstSeenMs: null, seenMs: 0, inStaffZoneMs: 0, isStaff: false },
});

/** The decisions of a run. Plain data. */
export interface StaffDecisions {
  readonly people: number;
  readonly decisionMsSum: number;
  readonly longestDecisionMs: number;
}

export const NO_DECISIONS: StaffDecisions = { people: 0, decisionMsSum: 0, longestDecisionMs: 0 };

/** The staff of a scene. Plain JSON. */
export interface StaffCounts {
  /** In the scene now. */
  readonly present: number;
  /** Decisions since the run began; a person who comes back is decided again. */
  readonly people: number;
  /** Watched seconds from the first sighting to the decision, rounded to tenths; null before the first decision. */
  readonly meanDecisionSeconds: number | null;
  readonly longestDecisionSeconds: number | null;
}

/**
 * Distinguishes staff from customers. A person is staff once at least half of at least 60 s of being seen were in the
 * staff zone; later positions do not change the decision. One instance per scene.
 */
export class StaffWatch {
  readonly #area: Area | null;
  #decisions: StaffDecisions;

  /** @param zone without one nobody is staff */
  constructor(zone: Polygon | undefined, decisions: StaffDecisions = NO_DECISIONS) {
    this.#area = zone ? new Area(zone.points) : null;
    this.#decisions = decisions;
  }

  /**
   * Adds a sighting to `evidence`.
   * @param before the frame before this one, whether or not it showed the person
   * @returns whether this sighting decided that the person is staff
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
    const decisionMs = now.watchedMs - evidence.firstSeenMs;
    const { people, decisionMsSum, longestDecisionMs } = this.#decisions;
    this.#decisions = {
      people: people + 1,
      decisionMsSum: decisionMsSum + decisionMs,
      longestDecisionMs: Math.max(longestDecisionMs, decisionMs),
    };
    return true;
  }

  /** @param everybody in the scene now @returns null without a staff zone */
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

  /** For a checkpoint. */
  get decisions(): StaffDecisions {
    return this.#decisions;
  }
}

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10;

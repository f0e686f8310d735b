import type { Moment } from '../moment.ts';
import { type Dwell, noDwell, updateDwell } from '../zones/dwell.ts';
import { IDLE_MS, type LearnedTimes, noTimes, typicalTime, withTime } from './learned-times.ts';

export const TILL_STATES = ['serving', 'free', 'closed', 'unknown'] as const;
export type TillState = (typeof TILL_STATES)[number];

/** Staff are at a till after so long, and gone from it after so long: a detector may miss who sits behind a counter. */
const STAFF_DWELL = { entryMs: 2_000, exitMs: 10_000 };
/** Staff who are at their places in this share of the service time are known to be seen: without them the till is closed. */
const STAFF_SEEN = 0.7;
/** That a drawn staff side is visible counts as so much service time, and what was seen of the last so much. */
const STAFF_PRIOR_MS = 60_000;
const STAFF_MEMORY_MS = 15 * 60_000;
/** A person who serves and is seen has more time to call the next one. */
const WITH_STAFF = 2;

/** The end of a service is confirmed a moment later. */
const SAME_LINE_MS = 3_000;

/** What is known of one till. Plain data, so that it can move to another node. Times of frames but for durations. */
export interface TillMemory {
  isOpen: boolean;
  /** A service was open in the last frame. */
  isServing: boolean;
  /** When it opened or closed last, back-dated. */
  sinceMs: number;
  /** Begin of the time without a service: the end of the last one, or later when staff came. */
  emptySinceMs: number;
  /** How long somebody waited in the meantime, and since when. */
  waitedMs: number;
  waitedSinceMs: number | null;
  /** End of the last service; null before the first. */
  usedMs: number | null;
  staff: Dwell;
  servedMs: number;
  servedWithStaffMs: number;
  gaps: LearnedTimes;
}

export const newTill = (timeMs: number): TillMemory => ({
  ...{
    isOpen: true,
    isServing: false,
    sinceMs: timeMs,
    emptySinceMs: timeMs,
    waitedMs: 0,
    waitedSinceMs: null,
  },
  ...{ usedMs: null, staff: noDwell(), servedMs: STAFF_PRIOR_MS, servedWithStaffMs: STAFF_PRIOR_MS },
  gaps: noTimes(),
});

/** What one frame says of a till. */
export interface TillEvidence {
  readonly now: Moment;
  /** Watched time since the frame before. */
  readonly elapsedMs: number;
  /** The service that is open here: its begin and when its customer left the line, back-dated; null without one. */
  readonly service: { readonly startedAtMs: number; readonly calledAtMs: number } | null;
  /** Back-dated end of the last service; null where it is not known any more. */
  readonly endedAtMs: () => number | null;
  /** Somebody stands in the polygon, who may only pass. */
  readonly isOccupied: boolean;
  /** Somebody stands at the staff side; null where none is drawn. */
  readonly hasStaff: boolean | null;
  /** Somebody waits in a line that feeds this till. */
  readonly isWaitedFor: boolean;
  /** How long people usually take to step up, with a margin. */
  readonly stepUpMs: number;
  /** The time of frames up to which states are final. */
  readonly settledMs: number;
}

/**
 * One frame of one till: whether it is open. The README of this folder has the rule.
 * @returns how long somebody waited before the service that this frame opened; null where it opened none
 */
export function seeTill(till: TillMemory, seen: TillEvidence): number | null {
  const { now, elapsedMs, service, hasStaff } = seen;
  const change = updateDwell(till.staff, hasStaff === true, { now, thresholds: STAFF_DWELL });
  if (service) {
    const share = STAFF_MEMORY_MS / (STAFF_MEMORY_MS + elapsedMs);
    till.servedMs = share * (till.servedMs + elapsedMs);
    till.servedWithStaffMs = share * (till.servedWithStaffMs + (isStaffed(till) ? elapsedMs : 0));
    return serve(till, service, seen);
  }
  if (till.isServing) {
    till.isServing = false;
    till.usedMs = seen.endedAtMs() ?? till.usedMs;
    till.emptySinceMs = Math.max(till.sinceMs, till.usedMs ?? till.sinceMs);
  }
  if (seen.isWaitedFor && !seen.isOccupied) {
    till.waitedMs += elapsedMs;
    till.waitedSinceMs ??= now.timeMs;
  }
  if (change?.to === 'inside' && !till.isOpen) open(till, change.since.timeMs, seen.settledMs);
  else if (till.isOpen) closeWhere(till, seen);
  return null;
}

function serve(
  till: TillMemory,
  { startedAtMs, calledAtMs }: NonNullable<TillEvidence['service']>,
  { now, settledMs }: TillEvidence,
): number | null {
  const waitedMs = till.isServing ? null : till.waitedMs;
  if (!till.isServing && till.usedMs !== null)
    till.gaps = withTime(till.gaps, Math.max(0, startedAtMs - till.usedMs));
  till.isServing = true;
  if (!till.isOpen) open(till, Math.min(calledAtMs, startedAtMs), settledMs);
  till.usedMs = now.timeMs;
  till.emptySinceMs = now.timeMs;
  till.waitedMs = 0;
  till.waitedSinceMs = null;
  return waitedMs;
}

function open(till: TillMemory, fromMs: number, settledMs: number): void {
  till.isOpen = true;
  till.sinceMs = Math.max(fromMs, till.sinceMs, settledMs);
  till.emptySinceMs = till.sinceMs;
  till.waitedMs = 0;
  till.waitedSinceMs = null;
}

function closeWhere(
  till: TillMemory,
  { now, hasStaff, stepUpMs, settledMs, isOccupied }: TillEvidence,
): void {
  const close = (fromMs: number) => {
    till.isOpen = false;
    till.sinceMs = Math.max(fromMs, till.emptySinceMs, till.sinceMs, settledMs);
  };
  const staffed = isStaffed(till);
  // Who waited when the last service ended has waited since then. A till that nobody has ever used was never open.
  const waitedSinceMs = till.waitedSinceMs ?? now.timeMs;
  const isSameLine = till.usedMs === null || waitedSinceMs - till.emptySinceMs <= SAME_LINE_MS;
  if (till.waitedMs > stepUpMs * (staffed ? WITH_STAFF : 1))
    close(isSameLine ? till.emptySinceMs : waitedSinceMs);
  else if (hasStaff !== null && !staffed && !isOccupied && showsStaff(till)) {
    const lastMs = till.staff.last?.timeMs ?? till.emptySinceMs;
    if (now.timeMs - Math.max(lastMs, till.emptySinceMs) >= STAFF_DWELL.exitMs) close(lastMs);
  } else if (!staffed && now.timeMs - (till.usedMs ?? till.emptySinceMs) > idleMs(till)) close(now.timeMs);
}

const isStaffed = ({ staff }: TillMemory): boolean => staff.inside;

/** Who serves here is usually seen. */
const showsStaff = ({ servedMs, servedWithStaffMs }: TillMemory): boolean =>
  servedWithStaffMs >= STAFF_SEEN * servedMs;

/** How long an open till is without a service at most. */
const idleMs = ({ gaps }: TillMemory): number => typicalTime(gaps, IDLE_MS);

/** Whether nothing speaks for what the state says but that nothing speaks against it. */
export const isUnsure = (till: TillMemory, nowMs: number): boolean =>
  till.isOpen && !isStaffed(till) && (till.usedMs === null || nowMs - till.usedMs > idleMs(till) / 2);

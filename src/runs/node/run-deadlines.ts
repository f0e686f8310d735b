import type { ActiveRun } from '../record/active-run.ts';
import type { RunEnd } from '../store/write-runs.store.ts';

/** A node stops writing this long before its lease ends. */
const LEASE_MARGIN_MS = 1_000;
/** The API closes a run itself after 5 s (with `drain`: 12 s). The lane gets less time. */
const STOP_MS = 2_500;
const DRAIN_MS = 10_500;
const FIRST_FRAME_MS = 5 * 60_000;

/**
 * What a node has to do with a run because time has passed: its lease is about to end, its lane has not stopped it, or its
 * first frame has not come. Null when there is nothing to do.
 */
export function dueAction(run: ActiveRun, nowMs: number): 'pause' | RunEnd | null {
  if (nowMs > run.leaseUntilMs - LEASE_MARGIN_MS) return 'pause';
  const { stoppingSinceMs } = run;
  if (stoppingSinceMs !== null && nowMs - stoppingSinceMs > (run.drain ? DRAIN_MS : STOP_MS))
    return { command: 'stop', errorMessage: null };
  // A recording may be copied first, and whether it can be read shows at once.
  const waitsForFirst =
    !run.isRecording && !run.claim.hadFrames && run.firstFrameAtMs === null && !run.hasUnusableFrames;
  if (!waitsForFirst || nowMs - run.claimedAtMs <= FIRST_FRAME_MS) return null;
  const why = run.streamError ? ` (${run.streamError})` : '';
  return { command: 'fail', errorMessage: `No frame came within 5 minutes of the start${why}.` };
}

/** Between two looks at which runs are to be stored. */
export const TURN_MS = 250;
/** A frame counts as fresh for at least this long. */
const FRESH_MS = 50;
/** A run is stored after so long at the earliest, if a fresh frame has come, and after the longer time without one. */
const SOONEST_MS = 700;
const LATEST_MS = 1_200;

/**
 * How long a frame is fresh: so long that one of the four looks of a second finds a fresh one, if frames come steadily. The looks see a
 * frame of five a second at four ages, and one of two a second, which comes with every other look, at two.
 */
const freshMs = (betweenMs: number): number =>
  betweenMs >= 2 * TURN_MS ? TURN_MS : Math.max(FRESH_MS, betweenMs / 4);

/**
 * Whether a run is to be stored now: about once a second, right after a frame, so that stored numbers are no older than they have to
 * be. So each camera keeps to its own turn of the second, and those that come at the same moment share a transaction.
 * @param storedMs how long ago it was stored @param frameMs how long ago its last frame came @param betweenMs between its last two frames
 */
export const isMomentToStore = (storedMs: number, frameMs: number, betweenMs: number): boolean =>
  storedMs >= (frameMs < freshMs(betweenMs) ? SOONEST_MS : LATEST_MS);

/** Between two looks at which runs are to be stored. */
export const TURN_MS = 250;
/**
 * A frame is fresh for so long. At five frames a second, which come steadily, one of the four looks of a second finds a frame that is at
 * most so old.
 */
const FRESH_MS = 50;
/** A run is stored after so long at the earliest, if a fresh frame has come, and after the longer time without one. */
const SOONEST_MS = 700;
const LATEST_MS = 1_200;

/**
 * Whether a run is to be stored now: about once a second, right after a frame, so that stored numbers are no older than they have to
 * be. So each camera keeps to its own turn of the second, and those that come at the same moment share a transaction.
 * @param storedMs how long ago it was stored @param frameMs how long ago its last frame came
 */
export const isMomentToStore = (storedMs: number, frameMs: number): boolean =>
  storedMs >= (frameMs < FRESH_MS ? SOONEST_MS : LATEST_MS);

/** Frames a second each camera is reckoned with; the default of a device. */
const FPS = 5;
/** The rest is for tracking, pipes and moments in which everything comes together. */
const USABLE_SHARE = 0.7;

/**
 * How many cameras a node can take, from what one detection took here.
 * @param msPerFrame measured with one lane at work
 */
export function measuredCapacity(lanes: number, msPerFrame: number): number {
  return Math.max(1, Math.floor((lanes * USABLE_SHARE * 1000) / (msPerFrame * FPS)));
}

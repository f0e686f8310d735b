/**
 * Delays before attempts 2 to 6, and the last of them before each further one. The sixth attempt comes about 7.6 h after the
 * first; a receiver that is down longer needs a redelivery.
 */
const DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000] as const;
/** Deliveries that failed together should not come back together. */
const JITTER = 0.2;

/** The delay before the next attempt. @param random from 0 to 1; 0.5 is no jitter */
export function retryDelaySeconds(attemptNumber: number, random: () => number): number {
  const delay = DELAYS_SECONDS[Math.min(attemptNumber, DELAYS_SECONDS.length) - 1] ?? DELAYS_SECONDS[0];
  return delay * (1 - JITTER + 2 * JITTER * random());
}

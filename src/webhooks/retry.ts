/** Before the second attempt, the third, …: a receiver that restarts, one that is repaired, one that is found on Monday. */
const DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000] as const;
/** Deliveries that failed together must not come back together. */
const JITTER = 0.2;

/** Between an attempt and the next. @param random from 0 to 1; 0.5 is no jitter */
export function retryDelaySeconds(attemptNumber: number, random: () => number): number {
  const delay = DELAYS_SECONDS[Math.min(attemptNumber, DELAYS_SECONDS.length) - 1] ?? DELAYS_SECONDS[0];
  return delay * (1 - JITTER + 2 * JITTER * random());
}

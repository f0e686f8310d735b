export const STRIP_DAYS = 7;
const DAY_MS = 86_400_000;

/** How many moments lie in each of the last seven times 24 hours, oldest first. */
export function byDayBefore(times: readonly number[], nowMs: number): number[] {
  const days = Array.from({ length: STRIP_DAYS }, () => 0);
  for (const ms of times) {
    const ago = Math.max(0, Math.floor((nowMs - ms) / DAY_MS));
    if (ago < STRIP_DAYS) days[STRIP_DAYS - 1 - ago]! += 1;
  }
  return days;
}

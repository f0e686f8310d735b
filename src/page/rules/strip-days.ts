export const STRIP_DAYS = 7;
const DAY_MS = 86_400_000;

/** How many moments lie in each of the last seven times 24 hours, oldest first. */
export function byDayBefore(times: readonly number[], nowMs: number): number[] {
  const ago = times.map((ms) => Math.max(0, Math.floor((nowMs - ms) / DAY_MS)));
  return Array.from(
    { length: STRIP_DAYS },
    (_, at) => ago.filter((days) => days === STRIP_DAYS - 1 - at).length,
  );
}

/** The hour of the night at which a wall loads itself again, so that no memory grows for weeks. */
const HOUR = 4;
const DAY_MS = 86_400_000;

/**
 * Milliseconds until the next reload, by the clock of the browser.
 * @param random 0-1: spreads the walls of a shop over an hour
 */
export function untilNight(now: Date, random: number): number {
  const next = new Date(now);
  next.setHours(HOUR, Math.floor(random * 60), 0, 0);
  // At least an hour from now: a wall that was just loaded does not load again.
  const least = now.getTime() + 3_600_000;
  let at = next.getTime();
  while (at < least) at += DAY_MS;
  return at - now.getTime();
}

/** How many columns so many tiles get on a screen of this shape. */
export function columnsFor(count: number, width: number, height: number): number {
  const isTall = height > width;
  if (count <= 1) return 1;
  if (count <= 3) return isTall ? 1 : count;
  if (count === 4) return 2;
  return isTall ? 2 : 3;
}

const LEAST_MS = 1_000;
/** While somebody probably looks at the page and waits: about three minutes. */
const MOST_AT_FIRST_MS = 4_500;
const FIRST_TRIES = 45;
const MOST_MS = 30_000;

/**
 * How long to wait before the next try: doubled each time, less a random part, because a restart of the API interrupts
 * every page at once.
 * @param tries that have failed, from 0
 * @param random 0-1
 */
export function backoffMs(tries: number, random: number): number {
  const most = tries < FIRST_TRIES ? MOST_AT_FIRST_MS : MOST_MS;
  return Math.max(LEAST_MS, Math.min(most, LEAST_MS * 2 ** tries) * (1 - random / 2));
}

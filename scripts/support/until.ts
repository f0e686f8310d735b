import { setTimeout as pause } from 'node:timers/promises';

/**
 * Checks every 20 ms until something holds.
 * @returns how long it took, in seconds
 * @throws Error naming `what` when it does not hold in time
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds = 120,
  everyMs = 20,
): Promise<number> {
  const sinceMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - sinceMs > seconds * 1000) throw new Error(`Not within ${seconds} s: ${what}.`);
    await pause(everyMs);
  }
  return (performance.now() - sinceMs) / 1000;
}

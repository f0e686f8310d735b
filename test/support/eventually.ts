import { setTimeout as pause } from 'node:timers/promises';

/**
 * Looks again and again until `look` gives something, for what other processes do in their own time.
 * @returns what it gave
 * @throws Error naming `what` after the deadline
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  deadlineSeconds = 180,
): Promise<T> {
  const deadlineMs = performance.now() + deadlineSeconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadlineMs) throw new Error(`Not within ${deadlineSeconds} s: ${what}.`);
    await pause(50);
  }
}

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
  const startMs = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    const waitedMs = performance.now() - startMs;
    if (waitedMs > deadlineSeconds * 1000) throw new Error(`Not within ${deadlineSeconds} s: ${what}.`);
    // Most looks are queries: what takes seconds is not asked for twenty times in each of them.
    await pause(Math.min(Math.max(waitedMs / 10, 20), 250));
  }
}

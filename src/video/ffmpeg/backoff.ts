export interface BackoffOptions {
  readonly minMs: number;
  readonly maxMs: number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** The first attempts come quickly, so that a camera that is away for half a minute is not missed for longer. */
const QUICK_ATTEMPTS = 8;
const QUICK_DOUBLINGS = 2;

/**
 * The delay before the next attempt: a few seconds for the first eight, then doubled up to `maxMs`. Half of it is random, so
 * that cameras behind one switch do not reconnect in the same second.
 * @param failuresInARow from 1
 */
export function backoffMs(failuresInARow: number, { minMs, maxMs, random }: BackoffOptions): number {
  const quick = Math.min(failuresInARow, QUICK_DOUBLINGS);
  const doublings = Math.max(quick, failuresInARow - QUICK_ATTEMPTS + QUICK_DOUBLINGS);
  const full = Math.min(maxMs, minMs * 2 ** Math.min(doublings, 30));
  return Math.round(Math.max(minMs, full / 2 + (random() * full) / 2));
}

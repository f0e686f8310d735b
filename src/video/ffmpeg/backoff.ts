export interface BackoffOptions {
  readonly minMs: number;
  readonly maxMs: number;
  /** 0 up to 1. */
  readonly random: () => number;
}

/** So many tries come quickly: a camera that is away for less than half a minute must not be missed for longer. */
const QUICK_TRIES = 8;
const QUICK_DOUBLINGS = 2;

/**
 * How long to wait before the next try: a few seconds at first, then doubling up to `maxMs`; half of it by chance, so
 * that cameras behind one switch do not all come back in the same second.
 * @param failuresInARow from 1
 */
export function backoffMs(failuresInARow: number, { minMs, maxMs, random }: BackoffOptions): number {
  const quick = Math.min(failuresInARow, QUICK_DOUBLINGS);
  const doublings = Math.max(quick, failuresInARow - QUICK_TRIES + QUICK_DOUBLINGS);
  const full = Math.min(maxMs, minMs * 2 ** Math.min(doublings, 30));
  return Math.round(Math.max(minMs, full / 2 + (random() * full) / 2));
}

export interface BackoffOptions {
  readonly minMs: number;
  readonly maxMs: number;
  /** 0 up to 1. */
  readonly random: () => number;
}

/**
 * How long to wait before the next try: doubling from `minMs` to `maxMs`, half of it by chance, so that cameras
 * behind one switch do not all come back in the same second.
 * @param failuresInARow from 1
 */
export function backoffMs(failuresInARow: number, { minMs, maxMs, random }: BackoffOptions): number {
  const full = Math.min(maxMs, minMs * 2 ** Math.min(failuresInARow, 30));
  return Math.round(Math.max(minMs, full / 2 + (random() * full) / 2));
}

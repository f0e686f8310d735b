export interface LimitSearch {
  /** The first number of cameras that is tried. */
  readonly from: number;
  /** No more are tried. */
  readonly max: number;
  /** Whether a node keeps up with so many cameras. */
  readonly keepsUp: (cameras: number) => Promise<boolean>;
}

/** It grows by this share until the node does not keep up. */
const GROWTH = 0.4;

/** @returns the most cameras with which the node keeps up, found in few tries; 0 where one is too many */
export async function findLimit({ from, max, keepsUp }: LimitSearch): Promise<number> {
  let good = 0;
  let bad = max + 1;
  let next = Math.min(from, max);
  while (bad - good > 1) {
    if (await keepsUp(next)) good = next;
    else bad = next;
    const isOpen = bad > max;
    next = isOpen ? Math.min(max, good + Math.max(1, Math.round(good * GROWTH))) : (good + bad) >> 1;
  }
  return good;
}

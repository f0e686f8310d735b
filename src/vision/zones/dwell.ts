import type { Moment } from '../moment.ts';

/** The stay of one person in one zone. Plain data, so that it can move to another node. */
export interface Dwell {
  /** Whether the stay is confirmed. */
  inside: boolean;
  /** First frame of the current stay, confirmed or not; null while there is none. */
  since: Moment | null;
  /** Last frame inside; null before the first one. */
  last: Moment | null;
  /** First frame outside after `last`; null while inside. */
  outsideSince: Moment | null;
}

export interface DwellThresholds {
  readonly entryMs: number;
  readonly exitMs: number;
}

/** What a frame confirmed, with the back-dated edge of the stay. */
type DwellChange =
  | { readonly to: 'inside'; readonly since: Moment }
  | { readonly to: 'outside'; readonly last: Moment };

export const noDwell = (): Dwell => ({ inside: false, since: null, last: null, outsideSince: null });

/**
 * Debounces one zone. A stay is confirmed after `entryMs` inside and ends after `exitMs` outside, both in watched time;
 * `since` and `last` are its back-dated edges. A shorter time outside ends no stay, confirmed or not.
 *
 * @param isInside whether the foot point is in the zone in this frame
 * @returns what this frame confirmed
 */
export function updateDwell(
  dwell: Dwell,
  isInside: boolean,
  { now, thresholds }: { now: Moment; thresholds: DwellThresholds },
): DwellChange | null {
  if (isInside) {
    dwell.since ??= now;
    dwell.last = now;
    dwell.outsideSince = null;
    if (dwell.inside || now.watchedMs - dwell.since.watchedMs < thresholds.entryMs) return null;
    dwell.inside = true;
    return { to: 'inside', since: dwell.since };
  }
  const { last } = dwell;
  if (!dwell.since || !last) return null;
  dwell.outsideSince ??= now;
  if (now.watchedMs - dwell.outsideSince.watchedMs < thresholds.exitMs) return null;
  dwell.since = null;
  if (!dwell.inside) return null;
  dwell.inside = false;
  return { to: 'outside', last };
}

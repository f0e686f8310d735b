import type { Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';

// The truth of `evaluate -- visits`. It is compared with src/vision, so it shares no code with it.

/** The foot point of a person at one time; fractions of the frame. */
export interface FootPoint {
  readonly timeMs: number;
  readonly x: number;
  readonly y: number;
}

/** The sightings of one person in the order of time. */
export type Trajectory = readonly FootPoint[];

/** Corners of a convex polygon in the order of its outline; fractions of the frame. */
export type Zone = readonly (readonly [x: number, y: number])[];

export interface Thresholds {
  readonly entryMs: number;
  readonly exitMs: number;
}

/** Whether a point lies in a convex zone or on its edge. */
export function isInside(zone: Zone, x: number, y: number): boolean {
  let sign = 0;
  return zone.every(([ax, ay], at) => {
    const [bx, by] = zone[(at + 1) % zone.length]!;
    const side = Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
    if (side === 0) return true;
    sign ||= side;
    return side === sign;
  });
}

/**
 * Stays of one person in a zone, in milliseconds. A stay lasts from the first sighting inside to the last. An absence
 * shorter than `exitMs` does not interrupt it. A stay shorter than `entryMs` does not count.
 */
export function stays(trajectory: Trajectory, zone: Zone, { entryMs, exitMs }: Thresholds): Span[] {
  const found: [number, number][] = [];
  let before = -1;
  trajectory.forEach(({ timeMs, x, y }, at) => {
    if (!isInside(zone, x, y)) return;
    const last = found.at(-1);
    const outsideSinceMs = trajectory[before + 1]?.timeMs ?? timeMs;
    const goesOn = last && (before === at - 1 ? timeMs - last[1] < exitMs : timeMs - outsideSinceMs < exitMs);
    if (goesOn) last[1] = timeMs;
    else found.push([timeMs, timeMs]);
    before = at;
  });
  return found.filter(([start, end]) => end - start >= entryMs);
}

/** The path at each of the times between its first and last sighting, interpolated linearly over gaps. */
export function interpolated(trajectory: Trajectory, timesMs: readonly number[]): Trajectory {
  let at = 0;
  return timesMs.flatMap((timeMs): FootPoint[] => {
    while (at + 1 < trajectory.length && trajectory[at + 1]!.timeMs <= timeMs) at++;
    const [from, to] = [trajectory[at], trajectory[at + 1]];
    if (!from || timeMs < from.timeMs) return [];
    if (!to) return timeMs === from.timeMs ? [from] : [];
    const part = (timeMs - from.timeMs) / (to.timeMs - from.timeMs);
    return [{ timeMs, x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) }];
  });
}

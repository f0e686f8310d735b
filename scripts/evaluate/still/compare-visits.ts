import type { Visit } from '../../../src/vision/types.ts';

/** How the visits of which some were spared compare with those of all frames. */
export interface VisitDifferences {
  readonly visits: number;
  /** The same begin within one frame, the same end within one frame, the same outcome. */
  readonly same: number;
  /** The begin is more than one frame away. */
  readonly otherBegin: number;
  /** Only the end or the outcome differs. */
  readonly otherEnd: number;
  readonly missing: number;
  readonly invented: number;
}

export const DIFFERENCES = ['visits', 'same', 'otherBegin', 'otherEnd', 'missing', 'invented'] as const;

/** A visit that begins further away is another one. */
const OTHER_MS = 2_000;
/** Frames of a camera are not exactly as far apart as their rate says. */
const ROUNDING_MS = 1;

const beginOf = ({ queueEnteredAtMs, serviceStartedAtMs }: Visit): number =>
  queueEnteredAtMs ?? serviceStartedAtMs ?? 0;

/** @param frameMs the time between two frames */
export function compareVisits(
  all: readonly Visit[],
  sparing: readonly Visit[],
  frameMs: number,
): VisitDifferences {
  const left = [...sparing];
  const found = { same: 0, otherBegin: 0, otherEnd: 0, missing: 0 };
  const isNear = (a: number | null, b: number | null) =>
    a === null || b === null ? a === b : Math.abs(a - b) <= frameMs + ROUNDING_MS;
  for (const visit of all) {
    const [nearest] = left
      .filter((one) => (one.queueEnteredAtMs === null) === (visit.queueEnteredAtMs === null))
      .toSorted((a, b) => Math.abs(beginOf(a) - beginOf(visit)) - Math.abs(beginOf(b) - beginOf(visit)));
    if (!nearest || Math.abs(beginOf(nearest) - beginOf(visit)) > OTHER_MS) {
      found.missing++;
      continue;
    }
    left.splice(left.indexOf(nearest), 1);
    const hasSameEnd =
      nearest.outcome === visit.outcome &&
      isNear(nearest.queueLeftAtMs, visit.queueLeftAtMs) &&
      isNear(nearest.serviceStartedAtMs, visit.serviceStartedAtMs) &&
      isNear(nearest.serviceEndedAtMs, visit.serviceEndedAtMs);
    if (!isNear(beginOf(nearest), beginOf(visit))) found.otherBegin++;
    else if (hasSameEnd) found.same++;
    else found.otherEnd++;
  }
  return { visits: all.length, ...found, invented: left.length };
}

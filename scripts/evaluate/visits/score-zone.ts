import { matchSpans } from '../matching/match-spans.ts';
import type { Span } from './dwell.ts';

/** Sums over zones: they add up to those of a group. Times in seconds, queue lengths in people × frames. */
export interface VisitCounts {
  readonly truthVisits: number;
  readonly ourVisits: number;
  readonly matched: number;
  readonly truthSeconds: number;
  readonly ourSeconds: number;
  readonly frames: number;
  readonly truthPeople: number;
  readonly ourPeople: number;
  /** Sum of |ours − true|. */
  readonly peopleError: number;
}

export interface VisitFigures {
  readonly truthVisits: number;
  readonly ourVisits: number;
  readonly f1: number | null;
  readonly precision: number | null;
  readonly recall: number | null;
  /** |ours − true| over the true queue length. */
  readonly occupancyErrorPercent: number | null;
  /** (ours − true) over the true queue length: above 0 too many people were counted. */
  readonly biasPercent: number | null;
  /** |ours − true|, people, mean over the frames. */
  readonly meanAbsoluteError: number | null;
  readonly meanDwellTrueSeconds: number | null;
  readonly meanDwellOursSeconds: number | null;
}

const lengthSeconds = (spans: readonly Span[]): number =>
  spans.reduce((sum, [start, end]) => sum + (end - start) / 1000, 0);

const isWithin = (timeMs: number) => (span: Span) => span[0] <= timeMs && timeMs <= span[1];

/**
 * One zone of one sequence.
 * @param timesMs of the analysed frames
 */
export function judgeZone(
  truth: readonly Span[],
  ours: readonly Span[],
  timesMs: readonly number[],
): VisitCounts {
  const lengths = timesMs.map((timeMs) => ({
    truth: truth.filter(isWithin(timeMs)).length,
    ours: ours.filter(isWithin(timeMs)).length,
  }));
  return {
    truthVisits: truth.length,
    ourVisits: ours.length,
    matched: matchSpans(truth, ours).filter((partner) => partner !== null).length,
    truthSeconds: lengthSeconds(truth),
    ourSeconds: lengthSeconds(ours),
    frames: timesMs.length,
    truthPeople: lengths.reduce((sum, at) => sum + at.truth, 0),
    ourPeople: lengths.reduce((sum, at) => sum + at.ours, 0),
    peopleError: lengths.reduce((sum, at) => sum + Math.abs(at.ours - at.truth), 0),
  };
}

const NOTHING: VisitCounts = {
  ...{ truthVisits: 0, ourVisits: 0, matched: 0, truthSeconds: 0, ourSeconds: 0 },
  ...{ frames: 0, truthPeople: 0, ourPeople: 0, peopleError: 0 },
};

export const sum = (parts: readonly VisitCounts[]): VisitCounts =>
  parts.reduce((total, part) => {
    const entries = Object.entries(total) as [keyof VisitCounts, number][];
    return Object.fromEntries(
      entries.map(([key, value]) => [key, value + part[key]]),
    ) as unknown as VisitCounts;
  }, NOTHING);

const ratio = (part: number, whole: number, digits: number): number | null =>
  whole === 0 ? null : Number((part / whole).toFixed(digits));

export const figuresOf = (counts: VisitCounts): VisitFigures => ({
  truthVisits: counts.truthVisits,
  ourVisits: counts.ourVisits,
  f1: ratio(2 * counts.matched, counts.truthVisits + counts.ourVisits, 4),
  precision: ratio(counts.matched, counts.ourVisits, 4),
  recall: ratio(counts.matched, counts.truthVisits, 4),
  occupancyErrorPercent: ratio(100 * counts.peopleError, counts.truthPeople, 2),
  biasPercent: ratio(100 * (counts.ourPeople - counts.truthPeople), counts.truthPeople, 2),
  meanAbsoluteError: ratio(counts.peopleError, counts.frames, 3),
  meanDwellTrueSeconds: ratio(counts.truthSeconds, counts.truthVisits, 2),
  meanDwellOursSeconds: ratio(counts.ourSeconds, counts.ourVisits, 2),
});

import { matchSpans, type Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import { addUp, ratio, sum } from '../../support/numbers.ts';
import { compareLengths, type LengthCounts } from '../matching/lengths.ts';

/** Counts of one zone, or sums over several zones. */
export interface VisitCounts extends LengthCounts {
  readonly truthVisits: number;
  readonly ourVisits: number;
  readonly matched: number;
  readonly truthSeconds: number;
  readonly ourSeconds: number;
  readonly frames: number;
}

export type VisitFigures = ReturnType<typeof figuresOf>;

const lengthSeconds = (spans: readonly Span[]): number =>
  sum(spans.map(([start, end]) => (end - start) / 1000));

/**
 * Compares the true visits of a zone with ours.
 * @param truth, ours spans in milliseconds
 * @param timesMs of the analysed frames
 */
export const scoreZone = (
  truth: readonly Span[],
  ours: readonly Span[],
  timesMs: readonly number[],
): VisitCounts => ({
  ...{ truthVisits: truth.length, ourVisits: ours.length, frames: timesMs.length },
  matched: matchSpans(truth, ours).filter((partner) => partner !== null).length,
  ...{ truthSeconds: lengthSeconds(truth), ourSeconds: lengthSeconds(ours) },
  ...compareLengths(truth, ours, timesMs),
});

const KEYS: readonly (keyof VisitCounts)[] = [
  ...(['truthVisits', 'ourVisits', 'matched', 'truthSeconds', 'ourSeconds', 'frames'] as const),
  ...(['truthPeople', 'ourPeople', 'peopleError'] as const),
];

export const addVisits = (parts: readonly VisitCounts[]): VisitCounts => addUp(KEYS, parts);

/** The figures of the report. A figure is null where there is nothing to divide by. */
export const figuresOf = (counts: VisitCounts) => ({
  truthVisits: counts.truthVisits,
  ourVisits: counts.ourVisits,
  f1: ratio(2 * counts.matched, counts.truthVisits + counts.ourVisits, 4),
  precision: ratio(counts.matched, counts.ourVisits, 4),
  recall: ratio(counts.matched, counts.truthVisits, 4),
  /** |ours − true| over the true queue length. */
  occupancyErrorPercent: ratio(100 * counts.peopleError, counts.truthPeople, 2),
  /** (ours − true) over the true queue length: above 0 too many people were counted. */
  biasPercent: ratio(100 * (counts.ourPeople - counts.truthPeople), counts.truthPeople, 2),
  /** |ours − true|, people, mean over the frames. */
  meanAbsoluteError: ratio(counts.peopleError, counts.frames, 3),
  meanDwellTrueSeconds: ratio(counts.truthSeconds, counts.truthVisits, 2),
  meanDwellOursSeconds: ratio(counts.ourSeconds, counts.ourVisits, 2),
});

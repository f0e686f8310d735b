import { matchSpans, type Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import { addUp, quantile, ratio, rounded, sum } from '../../support/numbers.ts';
import { compareLengths, type LengthCounts } from '../matching/lengths.ts';

/** Counts of one zone, or sums over several zones. */
export interface VisitCounts extends LengthCounts {
  readonly truthVisits: number;
  readonly ourVisits: number;
  readonly matched: number;
  readonly truthSeconds: number;
  readonly ourSeconds: number;
  readonly frames: number;
  /** |ours − true| of the lengths of the matched visits, seconds. */
  readonly stayErrors: readonly number[];
}

export type VisitFigures = ReturnType<typeof figuresOf>;

const lengthSeconds = (spans: readonly Span[]): number =>
  sum(spans.map(([start, end]) => (end - start) / 1000));

/**
 * Compares the true visits of a zone with ours.
 * @param truth, ours spans in milliseconds
 * @param timesMs of the analysed frames
 */
export function scoreZone(
  truth: readonly Span[],
  ours: readonly Span[],
  timesMs: readonly number[],
): VisitCounts {
  const stayErrors = matchSpans(truth, ours).flatMap((partner, at) =>
    partner === null ? [] : [Math.abs(lengthSeconds([truth[at]!]) - lengthSeconds([ours[partner]!]))],
  );
  return {
    ...{ truthVisits: truth.length, ourVisits: ours.length, frames: timesMs.length },
    ...{ matched: stayErrors.length, stayErrors },
    ...{ truthSeconds: lengthSeconds(truth), ourSeconds: lengthSeconds(ours) },
    ...compareLengths(truth, ours, timesMs),
  };
}

const KEYS: readonly Exclude<keyof VisitCounts, 'stayErrors'>[] = [
  ...(['truthVisits', 'ourVisits', 'matched', 'truthSeconds', 'ourSeconds', 'frames'] as const),
  ...(['truthPeople', 'ourPeople', 'peopleError', 'withinOneFrames'] as const),
];

export const addVisits = (parts: readonly VisitCounts[]): VisitCounts => ({
  ...addUp(KEYS, parts),
  stayErrors: parts.flatMap(({ stayErrors }) => stayErrors),
});

const errorAt = ({ stayErrors }: VisitCounts, share: number): number | null =>
  stayErrors.length === 0 ? null : rounded(quantile(stayErrors, share), 2);

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
  /** Share of the frames at which we count at most one person too many or too few. */
  withinOnePercent: ratio(100 * counts.withinOneFrames, counts.frames, 2),
  /** |ours − true| of the lengths of the matched visits. */
  stayErrorMedianSeconds: errorAt(counts, 0.5),
  stayErrorP90Seconds: errorAt(counts, 0.9),
  meanDwellTrueSeconds: ratio(counts.truthSeconds, counts.truthVisits, 2),
  meanDwellOursSeconds: ratio(counts.ourSeconds, counts.ourVisits, 2),
});

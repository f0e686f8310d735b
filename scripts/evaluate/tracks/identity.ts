import { Assignment } from '../../../src/vision/assignment.ts';
import type { ScoredSequence } from './overlap.ts';

const MATCH_IOU = 0.5;

/** Identity counts at IoU .5. Source: TrackEval, trackeval/metrics/identity.py. */
export interface IdentityCounts {
  readonly truePositives: number;
  readonly falseNegatives: number;
  readonly falsePositives: number;
}

/**
 * Assigns at most one result id to each truth id over the whole sequence, so that most boxes agree. (An id without a
 * partner costs exactly its own boxes, so the best assignment is the one with the most shared boxes.)
 */
export function identityCounts(sequence: ScoredSequence): IdentityCounts {
  const { truthIdCount, resultIdCount } = sequence;
  const shared = new Float64Array(truthIdCount * resultIdCount);
  for (const { truthIds, resultIds, similarity } of sequence.frames) {
    truthIds.forEach((truthId, row) => {
      resultIds.forEach((resultId, column) => {
        if (similarity[row * resultIds.length + column]! < MATCH_IOU) return;
        shared[truthId * resultIdCount + resultId]! += 1;
      });
    });
  }
  const resultOf = new Assignment().solve(
    shared.map((count) => -count),
    truthIdCount,
    resultIdCount,
  );
  let truePositives = 0;
  for (let truthId = 0; truthId < truthIdCount; truthId++) {
    const resultId = resultOf[truthId]!;
    if (resultId >= 0) truePositives += shared[truthId * resultIdCount + resultId]!;
  }
  return {
    truePositives,
    falseNegatives: sequence.truthBoxes - truePositives,
    falsePositives: sequence.resultBoxes - truePositives,
  };
}

/** IDF1, 0-1. */
export const idf1Of = (counts: IdentityCounts): number =>
  counts.truePositives /
  Math.max(1, counts.truePositives + 0.5 * counts.falsePositives + 0.5 * counts.falseNegatives);

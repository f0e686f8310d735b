import { Assignment } from '../../../src/vision/assignment.ts';
import { mean, sum } from '../../support/numbers.ts';
import type { ScoredSequence } from './overlap.ts';

/** Localisation thresholds .05, .10 … .95. */
const ALPHAS = Array.from({ length: 19 }, (_, at) => 0.05 * (at + 1));

/** Counts at each of the 19 thresholds. Source: TrackEval, trackeval/metrics/hota.py. */
export interface HotaCounts {
  readonly truePositives: number[];
  readonly falseNegatives: number[];
  readonly falsePositives: number[];
  /** AssA, 0-1. */
  readonly association: number[];
}

const zeros = (): number[] => ALPHAS.map(() => 0);

export function hotaCounts(sequence: ScoredSequence): HotaCounts {
  const { frames, truthIdCount, resultIdCount } = sequence;
  const { alignment, truthCount, resultCount } = alignIds(sequence);
  const assignment = new Assignment();
  const matches = ALPHAS.map(() => new Float64Array(truthIdCount * resultIdCount));
  const truePositives = zeros();
  for (const { truthIds, resultIds, similarity } of frames) {
    const cost = new Float64Array(similarity.length);
    truthIds.forEach((truthId, row) => {
      resultIds.forEach((resultId, column) => {
        const at = row * resultIds.length + column;
        cost[at] = -alignment[truthId * resultIdCount + resultId]! * similarity[at]!;
      });
    });
    const resultOf = assignment.solve(cost, truthIds.length, resultIds.length);
    truthIds.forEach((truthId, row) => {
      const column = resultOf[row]!;
      if (column < 0) return;
      const iou = similarity[row * resultIds.length + column]!;
      const pair = truthId * resultIdCount + resultIds[column]!;
      ALPHAS.forEach((alpha, a) => {
        if (iou < alpha - Number.EPSILON) return;
        truePositives[a]! += 1;
        matches[a]![pair]! += 1;
      });
    });
  }
  const association = matches.map((counts, a) => {
    let total = 0;
    counts.forEach((count, pair) => {
      if (count === 0) return;
      const truthId = Math.floor(pair / resultIdCount);
      const either = truthCount[truthId]! + resultCount[pair % resultIdCount]! - count;
      total += (count * count) / Math.max(1, either);
    });
    return total / Math.max(1, truePositives[a]!);
  });
  return {
    truePositives,
    falseNegatives: truePositives.map((count) => sequence.truthBoxes - count),
    falsePositives: truePositives.map((count) => sequence.resultBoxes - count),
    association,
  };
}

/** How well each pair of ids fits over the whole sequence. It decides the assignment in each frame. */
function alignIds({ frames, truthIdCount, resultIdCount }: ScoredSequence) {
  const truthCount = new Float64Array(truthIdCount);
  const resultCount = new Float64Array(resultIdCount);
  const alignment = new Float64Array(truthIdCount * resultIdCount);
  for (const { truthIds, resultIds, similarity } of frames) {
    const columns = resultIds.length;
    for (const id of truthIds) truthCount[id]! += 1;
    for (const id of resultIds) resultCount[id]! += 1;
    const rowSum = truthIds.map((_, row) =>
      sum([...similarity.subarray(row * columns, (row + 1) * columns)]),
    );
    const columnSum = resultIds.map((_, column) =>
      truthIds.reduce((total, __, row) => total + similarity[row * columns + column]!, 0),
    );
    truthIds.forEach((truthId, row) => {
      resultIds.forEach((resultId, column) => {
        const iou = similarity[row * columns + column]!;
        const either = rowSum[row]! + columnSum[column]! - iou;
        if (either > Number.EPSILON) alignment[truthId * resultIdCount + resultId]! += iou / either;
      });
    });
  }
  alignment.forEach((shared, pair) => {
    const either =
      truthCount[Math.floor(pair / resultIdCount)]! + resultCount[pair % resultIdCount]! - shared;
    alignment[pair] = either > 0 ? shared / either : 0;
  });
  return { alignment, truthCount, resultCount };
}

/** Counts add up; association is weighted by true positives. */
export function combineHota(parts: readonly HotaCounts[]): HotaCounts {
  const total = (key: 'truePositives' | 'falseNegatives' | 'falsePositives') =>
    ALPHAS.map((_, a) => sum(parts.map((part) => part[key][a]!)));
  const truePositives = total('truePositives');
  return {
    truePositives,
    falseNegatives: total('falseNegatives'),
    falsePositives: total('falsePositives'),
    association: truePositives.map(
      (count, a) =>
        sum(parts.map((part) => part.association[a]! * part.truePositives[a]!)) / Math.max(1, count),
    ),
  };
}

/** Means over the thresholds, 0-1. */
export function hotaOf(counts: HotaCounts): { hota: number; detA: number; assA: number } {
  const detection = counts.truePositives.map(
    (tp, a) => tp / Math.max(1, tp + counts.falseNegatives[a]! + counts.falsePositives[a]!),
  );
  return {
    hota: mean(detection.map((det, a) => Math.sqrt(det * counts.association[a]!))),
    detA: mean(detection),
    assA: mean(counts.association),
  };
}

import { Assignment } from '../../../src/vision/assignment.ts';
import type { ScoredSequence } from './overlap.ts';

const MATCH_IOU = 0.5;
/** Above any sum of IoUs: a pair of the previous frame stays together while it still overlaps. */
const KEEP = 1000;

/** CLEAR MOT counts at IoU .5. Source: TrackEval, trackeval/metrics/clear.py. */
export interface ClearCounts {
  readonly truePositives: number;
  readonly falseNegatives: number;
  readonly falsePositives: number;
  readonly idSwitches: number;
  readonly fragments: number;
}

export function clearCounts(sequence: ScoredSequence): ClearCounts {
  const assignment = new Assignment();
  /** For each truth id: its last result id, and its result id in the previous frame; -1 for none. */
  const last = new Int32Array(sequence.truthIdCount).fill(-1);
  const before = new Int32Array(sequence.truthIdCount).fill(-1);
  const starts = new Int32Array(sequence.truthIdCount);
  let truePositives = 0;
  let idSwitches = 0;
  for (const { truthIds, resultIds, similarity } of sequence.frames) {
    if (truthIds.length === 0 || resultIds.length === 0) continue;
    const columns = resultIds.length;
    const cost = new Float64Array(similarity.length);
    truthIds.forEach((truthId, row) => {
      resultIds.forEach((resultId, column) => {
        const iou = similarity[row * columns + column]!;
        if (iou < MATCH_IOU - Number.EPSILON) return;
        cost[row * columns + column] = -(iou + (before[truthId] === resultId ? KEEP : 0));
      });
    });
    const resultOf = assignment.solve(cost, truthIds.length, columns);
    const wasTracked = before.map((id) => (id >= 0 ? 1 : 0));
    before.fill(-1);
    truthIds.forEach((truthId, row) => {
      const column = resultOf[row]!;
      if (column < 0 || cost[row * columns + column] === 0) return;
      const resultId = resultIds[column]!;
      truePositives++;
      if (last[truthId] !== -1 && last[truthId] !== resultId) idSwitches++;
      if (!wasTracked[truthId]) starts[truthId]! += 1;
      last[truthId] = resultId;
      before[truthId] = resultId;
    });
  }
  return {
    truePositives,
    falseNegatives: sequence.truthBoxes - truePositives,
    falsePositives: sequence.resultBoxes - truePositives,
    idSwitches,
    fragments: starts.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
  };
}

/** At most 1; may be negative. */
export const motaOf = (counts: ClearCounts): number =>
  (counts.truePositives - counts.falsePositives - counts.idSwitches) /
  Math.max(1, counts.truePositives + counts.falseNegatives);

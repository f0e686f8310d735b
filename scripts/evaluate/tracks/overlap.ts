import { Assignment } from '../../../src/vision/assignment.ts';
import type { MotRow } from '../footage/mot-files.ts';

/** One frame as the metrics need it: ids are numbered from 0 without gaps. */
export interface ScoredFrame {
  readonly truthIds: readonly number[];
  readonly resultIds: readonly number[];
  /** IoU 0-1, row-major `truthIds × resultIds`. */
  readonly similarity: Float64Array;
}

export interface ScoredSequence {
  readonly frames: readonly ScoredFrame[];
  readonly truthIdCount: number;
  readonly resultIdCount: number;
  /** Boxes over all frames. */
  readonly truthBoxes: number;
  readonly resultBoxes: number;
}

const PEDESTRIAN = 1;
/** Static person, person on a vehicle, distractor, reflection: a result for them is neither right nor wrong. */
const DISTRACTORS = new Set([2, 7, 8, 12]);
const MATCH_IOU = 0.5;

function overlap(truth: MotRow, result: MotRow): number {
  const right = Math.min(truth.left + truth.width, result.left + result.width);
  const bottom = Math.min(truth.top + truth.height, result.top + result.height);
  const w = right - Math.max(truth.left, result.left);
  const h = bottom - Math.max(truth.top, result.top);
  const areas = [truth.width * truth.height, result.width * result.height] as const;
  if (w <= 0 || h <= 0 || areas[0] <= Number.EPSILON || areas[1] <= Number.EPSILON) return 0;
  return (w * h) / (areas[0] + areas[1] - w * h);
}

function similarityOf(truth: readonly MotRow[], results: readonly MotRow[]): Float64Array {
  const similarity = new Float64Array(truth.length * results.length);
  let at = 0;
  for (const t of truth) for (const r of results) similarity[at++] = overlap(t, r);
  return similarity;
}

/** The results without those that match a distractor. */
function withoutDistractors(
  truth: readonly MotRow[],
  results: readonly MotRow[],
  assignment: Assignment,
): MotRow[] {
  const cost = similarityOf(truth, results).map((iou) => (iou < MATCH_IOU - Number.EPSILON ? 0 : -iou));
  const resultOf = assignment.solve(cost, truth.length, results.length);
  const out = new Set<number>();
  truth.forEach((box, row) => {
    const column = resultOf[row]!;
    if (column < 0 || !DISTRACTORS.has(box.classId)) return;
    if (overlap(box, results[column]!) >= MATCH_IOU - Number.EPSILON) out.add(column);
  });
  return results.filter((_, column) => !out.has(column));
}

/**
 * TrackEval's preprocessing of MOTChallenge 2D boxes (github.com/JonathonLuiten/TrackEval,
 * trackeval/datasets/mot_challenge_2d_box.py), for the class pedestrian.
 *
 * @param truth, results rows of each frame, the same number of frames
 * @throws Error where one id has two boxes in a frame
 */
export function prepare(
  truth: readonly (readonly MotRow[])[],
  results: readonly (readonly MotRow[])[],
): ScoredSequence {
  const assignment = new Assignment();
  const truthIndex = new Map<number, number>();
  const resultIndex = new Map<number, number>();
  let truthBoxes = 0;
  let resultBoxes = 0;
  const frames = truth.map((allTruth, at) => {
    const allResults = results[at] ?? [];
    refuseTwins(allTruth, 'ground truth', at + 1);
    refuseTwins(allResults, 'results', at + 1);
    const kept = withoutDistractors(allTruth, allResults, assignment);
    const counted = allTruth.filter((box) => box.confidence !== 0 && box.classId === PEDESTRIAN);
    truthBoxes += counted.length;
    resultBoxes += kept.length;
    return {
      truthIds: counted.map((box) => indexOf(truthIndex, box.id)),
      resultIds: kept.map((box) => indexOf(resultIndex, box.id)),
      similarity: similarityOf(counted, kept),
    };
  });
  return {
    frames,
    truthIdCount: truthIndex.size,
    resultIdCount: resultIndex.size,
    truthBoxes,
    resultBoxes,
  };
}

function indexOf(known: Map<number, number>, id: number): number {
  const found = known.get(id);
  if (found !== undefined) return found;
  known.set(id, known.size);
  return known.size - 1;
}

function refuseTwins(rows: readonly MotRow[], what: string, frame: number): void {
  const ids = new Set<number>();
  for (const { id } of rows) {
    if (ids.has(id)) throw new Error(`The ${what} give id ${id} two boxes in frame ${frame}.`);
    ids.add(id);
  }
}

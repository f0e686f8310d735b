import type { Candidates } from '../nms.ts';
import type { Anchors } from './anchors.ts';

/** The decoder part of a NanoDet model's card. */
export interface NanodetOptions {
  readonly kind: 'nanodet';
  readonly strides: readonly number[];
  /** Bins of each side's distance distribution. */
  readonly bins: number;
  /** Whether the class scores of the graph need a sigmoid (`logits`). */
  readonly scores: 'logits' | 'probabilities';
  /** Added to the centre of a cell to get its point, pixels. */
  readonly pointOffset: number;
}

/**
 * NanoDet (generalised focal loss): per anchor one score per class, and for each side of the box its distance from the
 * cell's point, in strides.
 * Source: RangiLyu/nanodet, `GFLHead`.
 * @param rows which anchor each row of the others is, strongest first
 * @param scores [rows × classIds.length] @param distances [rows × 4], left, top, right, bottom
 */
export function decodeNanodet(
  {
    rows,
    scores,
    distances,
  }: { readonly rows: Int32Array; readonly scores: Float32Array; readonly distances: Float32Array },
  {
    anchors,
    classIds,
    options,
    minScore,
  }: { anchors: Anchors; classIds: readonly number[]; options: NanodetOptions; minScore: number },
  candidates: Candidates,
): void {
  const { pointOffset } = options;
  const logits = options.scores === 'logits';
  // compare what the graph gives, exponentiate only what passes; after the first that does not, none does
  const threshold = logits ? logit(minScore) : minScore;
  const classes = classIds.length;
  candidates.count = 0;
  for (let row = 0; row < rows.length; row++) {
    let best = threshold;
    let bestClass = -1;
    for (let c = 0, at = row * classes; c < classes; c++, at++) {
      if (scores[at]! >= best) {
        best = scores[at]!;
        bestClass = c;
      }
    }
    if (bestClass < 0) break;
    const anchor = rows[row]!;
    const stride = anchors.stride[anchor]!;
    const x = anchors.x[anchor]! + stride / 2 + pointOffset;
    const y = anchors.y[anchor]! + stride / 2 + pointOffset;
    const at = row * 4;
    const i = candidates.count++;
    candidates.left[i] = x - stride * distances[at]!;
    candidates.top[i] = y - stride * distances[at + 1]!;
    candidates.right[i] = x + stride * distances[at + 2]!;
    candidates.bottom[i] = y + stride * distances[at + 3]!;
    candidates.score[i] = logits ? 1 / (1 + Math.exp(-best)) : best;
    candidates.classId[i] = classIds[bestClass]!;
  }
}

const logit = (probability: number): number => Math.log(probability / (1 - probability));

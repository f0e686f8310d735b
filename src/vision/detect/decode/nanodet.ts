import type { Candidates } from '../nms.ts';
import { logit } from '../score-curves.ts';
import { type AnchorRows, type Decode, strongestClass } from './anchors.ts';

/** The decoder part of a NanoDet model's card. */
export interface NanodetOptions {
  readonly kind: 'nanodet';
  readonly strides: readonly number[];
  /** Bins of the distance distribution of each side. */
  readonly bins: number;
  /** Whether the class scores of the graph need a sigmoid (`logits`). */
  readonly scores: 'logits' | 'probabilities';
  /** Added to the centre of a cell to get its point, pixels. */
  readonly pointOffset: number;
}

interface NanodetOutputs extends AnchorRows {
  /** [rows × classIds.length] */
  readonly scores: Float32Array;
  /** [rows × 4]: left, top, right, bottom */
  readonly distances: Float32Array;
}

/**
 * NanoDet (generalised focal loss): each anchor has one score per class and the distances of the four sides of the box
 * from the point of its cell, in strides. Source: RangiLyu/nanodet, `GFLHead`.
 */
export function nanodetDecoder(
  { rows, anchors, classIds, scores, distances }: NanodetOutputs,
  { pointOffset, scores: kind }: NanodetOptions,
): Decode {
  const isLogit = kind === 'logits';
  const classes = classIds.length;
  return (minScore: number, candidates: Candidates): void => {
    // Only scores that pass need an exponential function. The first row that does not pass is the last.
    const threshold = isLogit ? logit(minScore) : minScore;
    candidates.count = 0;
    for (let row = 0; row < rows.length; row++) {
      const bestClass = strongestClass(scores, row * classes, classes, threshold);
      if (bestClass < 0) break;
      const anchor = rows[row]!;
      const stride = anchors.stride[anchor]!;
      const x = anchors.x[anchor]! + stride / 2 + pointOffset;
      const y = anchors.y[anchor]! + stride / 2 + pointOffset;
      const at = row * 4;
      const box = {
        left: x - stride * distances[at]!,
        top: y - stride * distances[at + 1]!,
        right: x + stride * distances[at + 2]!,
        bottom: y + stride * distances[at + 3]!,
      };
      const score = scores[row * classes + bestClass]!;
      candidates.add(box, isLogit ? 1 / (1 + Math.exp(-score)) : score, classIds[bestClass]!);
    }
  };
}

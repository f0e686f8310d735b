import type { Candidates } from '../nms.ts';
import { logit } from '../score-curves.ts';
import { type AnchorRows, type Decode, StrongestClass } from './anchors.ts';

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
  const strongest = new StrongestClass(scores, classIds);
  return (minScore: number, candidates: Candidates): void => {
    // Only scores that pass need an exponential function. The first row that does not pass is the last.
    const threshold = isLogit ? logit(minScore) : minScore;
    candidates.count = 0;
    let row = 0;
    for (const anchor of rows) {
      if (!strongest.find(row * classIds.length, threshold)) break;
      const { x: cellX, y: cellY, stride } = anchors[anchor]!;
      const x = cellX + stride / 2 + pointOffset;
      const y = cellY + stride / 2 + pointOffset;
      const at = 4 * row++;
      const box = {
        left: x - stride * distances[at]!,
        top: y - stride * distances[at + 1]!,
        right: x + stride * distances[at + 2]!,
        bottom: y + stride * distances[at + 3]!,
      };
      const { score, classId } = strongest;
      candidates.add(box, isLogit ? 1 / (1 + Math.exp(-score)) : score, classId);
    }
  };
}

import type { Candidates } from '../nms.ts';
import { logit } from '../score-curves.ts';
import { type Decode, StrongestClass } from './anchors.ts';

interface DetrOutputs {
  /** The query of each row, strongest first. */
  readonly rows: Int32Array;
  readonly classIds: readonly number[];
  /** [rows × classIds.length], logits */
  readonly scores: Float32Array;
  /** [rows × 4]: centre x and y, width and height as shares of the input */
  readonly boxes: Float32Array;
}

/**
 * The DETR family (RT-DETR, D-FINE, RF-DETR): each query has one logit per class and one box. The network was trained to give
 * each object one query, so overlapping boxes are different objects. Source: facebookresearch/detr, `PostProcess`.
 */
export function detrDecoder(
  { rows, classIds, scores, boxes }: DetrOutputs,
  input: { readonly width: number; readonly height: number },
): Decode {
  const strongest = new StrongestClass(scores, classIds);
  return (minScore: number, candidates: Candidates): void => {
    const threshold = logit(minScore);
    candidates.count = 0;
    for (let row = 0; row < rows.length; row++) {
      // The first row that does not pass is the last.
      if (!strongest.find(row * classIds.length, threshold)) break;
      const at = row * 4;
      const x = boxes[at]! * input.width;
      const y = boxes[at + 1]! * input.height;
      const halfWidth = (boxes[at + 2]! * input.width) / 2;
      const halfHeight = (boxes[at + 3]! * input.height) / 2;
      const box = { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
      candidates.add(box, 1 / (1 + Math.exp(-strongest.score)), strongest.classId);
    }
  };
}

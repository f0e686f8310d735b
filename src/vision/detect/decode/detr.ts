import type { Candidates } from '../nms.ts';
import { logit } from '../score-curves.ts';
import { type Decode, strongestClass } from './anchors.ts';

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
  const classes = classIds.length;
  return (minScore: number, candidates: Candidates): void => {
    const threshold = logit(minScore);
    candidates.count = 0;
    for (let row = 0; row < rows.length; row++) {
      const bestClass = strongestClass(scores, row * classes, classes, threshold);
      // The first row that does not pass is the last.
      if (bestClass < 0) break;
      const at = row * 4;
      const x = boxes[at]! * input.width;
      const y = boxes[at + 1]! * input.height;
      const halfWidth = (boxes[at + 2]! * input.width) / 2;
      const halfHeight = (boxes[at + 3]! * input.height) / 2;
      const box = { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
      candidates.add(box, 1 / (1 + Math.exp(-scores[row * classes + bestClass]!)), classIds[bestClass]!);
    }
  };
}

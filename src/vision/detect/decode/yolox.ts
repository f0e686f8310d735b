import type { Candidates } from '../nms.ts';
import { type AnchorRows, type Decode, strongestClass } from './anchors.ts';

/**
 * YOLOX: each anchor has centre x and y in strides from the corner of its cell, the logarithms of width and height in
 * strides, objectness and one probability per class, both after their sigmoid. The first row has the highest objectness.
 * Source: Megvii-BaseDetection/YOLOX, `demo_postprocess`.
 * @param outputs predictions [rows × (5 + classIds.length)]
 */
export function yoloxDecoder({
  rows,
  anchors,
  classIds,
  predictions,
}: AnchorRows & { readonly predictions: Float32Array }): Decode {
  const classes = classIds.length;
  const columns = 5 + classes;
  return (minScore: number, candidates: Candidates): void => {
    candidates.count = 0;
    for (let row = 0; row < rows.length; row++) {
      const at = row * columns;
      const objectness = predictions[at + 4]!;
      // A class probability is at most 1, so neither this row nor a later one can reach the threshold.
      if (objectness < minScore) break;
      const bestClass = strongestClass(predictions, at + 5, classes, minScore / objectness);
      if (bestClass < 0) continue;
      const anchor = rows[row]!;
      const stride = anchors.stride[anchor]!;
      const x = anchors.x[anchor]! + predictions[at]! * stride;
      const y = anchors.y[anchor]! + predictions[at + 1]! * stride;
      const halfWidth = (Math.exp(predictions[at + 2]!) * stride) / 2;
      const halfHeight = (Math.exp(predictions[at + 3]!) * stride) / 2;
      const box = { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
      candidates.add(box, objectness * predictions[at + 5 + bestClass]!, classIds[bestClass]!);
    }
  };
}

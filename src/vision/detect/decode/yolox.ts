import type { Candidates } from '../nms.ts';
import type { AnchorRows, Decode } from './anchors.ts';

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
      let best = minScore / objectness;
      let bestClass = -1;
      for (let c = 0; c < classes; c++) {
        const probability = predictions[at + 5 + c]!;
        if (probability >= best) {
          best = probability;
          bestClass = c;
        }
      }
      if (bestClass < 0) continue;
      const anchor = rows[row]!;
      const stride = anchors.stride[anchor]!;
      const x = anchors.x[anchor]! + predictions[at]! * stride;
      const y = anchors.y[anchor]! + predictions[at + 1]! * stride;
      const halfWidth = (Math.exp(predictions[at + 2]!) * stride) / 2;
      const halfHeight = (Math.exp(predictions[at + 3]!) * stride) / 2;
      const i = candidates.count++;
      candidates.left[i] = x - halfWidth;
      candidates.top[i] = y - halfHeight;
      candidates.right[i] = x + halfWidth;
      candidates.bottom[i] = y + halfHeight;
      candidates.score[i] = objectness * best;
      candidates.classId[i] = classIds[bestClass]!;
    }
  };
}

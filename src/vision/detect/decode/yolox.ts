import type { Candidates } from '../nms.ts';
import type { Anchors } from './anchors.ts';

/**
 * YOLOX: per anchor centre x and y in strides from the cell's corner, logarithm of width and height in
 * strides, objectness and one probability per class (both already after their sigmoid).
 * Source: Megvii-BaseDetection/YOLOX, `demo_postprocess`.
 * @param rows which anchor each row of the others is, that of the highest objectness first
 * @param predictions [rows × (5 + classIds.length)]
 */
export function decodeYolox(
  { rows, predictions }: { readonly rows: Int32Array; readonly predictions: Float32Array },
  { anchors, classIds, minScore }: { anchors: Anchors; classIds: readonly number[]; minScore: number },
  candidates: Candidates,
): void {
  const classes = classIds.length;
  const columns = 5 + classes;
  candidates.count = 0;
  for (let row = 0; row < rows.length; row++) {
    const at = row * columns;
    const objectness = predictions[at + 4]!;
    // a class probability is at most 1, so neither this anchor nor a weaker one can reach the threshold
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
}

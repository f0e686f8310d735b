import type { Candidates } from '../nms.ts';
import { type AnchorRows, type Decode, StrongestClass } from './anchors.ts';

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
  const columns = 5 + classIds.length;
  const strongest = new StrongestClass(predictions, classIds);
  return (minScore: number, candidates: Candidates): void => {
    candidates.count = 0;
    let at = -columns;
    for (const anchor of rows) {
      at += columns;
      const objectness = predictions[at + 4]!;
      // A class probability is at most 1, so neither this row nor a later one can reach the threshold.
      if (objectness < minScore) break;
      if (!strongest.find(at + 5, minScore / objectness)) continue;
      const { x: cellX, y: cellY, stride } = anchors[anchor]!;
      const x = cellX + predictions[at]! * stride;
      const y = cellY + predictions[at + 1]! * stride;
      const halfWidth = (Math.exp(predictions[at + 2]!) * stride) / 2;
      const halfHeight = (Math.exp(predictions[at + 3]!) * stride) / 2;
      const box = { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
      candidates.add(box, objectness * strongest.score, strongest.classId);
    }
  };
}

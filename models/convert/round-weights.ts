import { LARGEST_WEIGHT } from '../../src/models/onnx/saturation.ts';

/**
 * Rounds the weights of one output channel to whole steps from −LARGEST_WEIGHT to LARGEST_WEIGHT. In each kernel the sum of
 * the rounding errors is at most half a step. The input values under a kernel are similar, so errors of the same sign would
 * add up. Source: Guo et al., "SQuant", ICLR 2022, without its last step.
 * @param weights the channel, one kernel after the other
 * @param area weights of one kernel: height × width
 * @param bytes gets the rounded weights; as long as `weights`
 * @returns the size of one step
 */
export function roundWeights(weights: Float32Array, area: number, bytes: Int8Array): number {
  const { abs, max, round } = Math;
  let most = 0;
  // There are millions of weights, so these are plain loops without allocations.
  for (let i = 0; i < weights.length; i++) most = max(most, abs(weights[i]!));
  const step = max(1e-8, most / LARGEST_WEIGHT);
  for (let from = 0; from < weights.length; from += area) {
    let error = 0;
    for (let i = from; i < from + area; i++) {
      bytes[i] = round(weights[i]! / step);
      error += weights[i]! / step - bytes[i]!;
    }
    for (let left = round(abs(error)); left > 0; left--)
      roundOtherWay(weights, bytes, { from, area, step, sign: error < 0 ? -1 : 1 });
  }
  return step;
}

interface Kernel {
  readonly from: number;
  readonly area: number;
  readonly step: number;
  /** −1 where the sum of the kernel's weights is too large. */
  readonly sign: -1 | 1;
}

/** Changes one weight of a kernel by one step: the one with the smallest additional error. */
function roundOtherWay(weights: Float32Array, bytes: Int8Array, { from, area, step, sign }: Kernel): void {
  let nearest = -1;
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = from; i < from + area; i++) {
    const error = sign * (weights[i]! / step - bytes[i]!);
    if (error <= largest || Math.abs(bytes[i]! + sign) > LARGEST_WEIGHT) continue;
    [nearest, largest] = [i, error];
  }
  if (nearest >= 0) bytes[nearest] = bytes[nearest]! + sign;
}

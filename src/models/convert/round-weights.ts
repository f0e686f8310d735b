/**
 * The largest amount of an 8-bit weight. x64 processors without VNNI multiply bytes 0-255 with weights, add the
 * products in pairs and keep each sum in 16 bits with a sign. 255 × (64 + 64) = 32,640 fits into them (32,767), whichever
 * weights meet in a pair.
 */
export const LARGEST_WEIGHT = 64;

/**
 * Rounds the weights of one output channel to whole steps of −LARGEST_WEIGHT … LARGEST_WEIGHT. In each kernel the
 * rounding errors sum up to half a step at most: the values under a kernel are much alike, so errors of one
 * sign would add up. Source: Guo et al., "SQuant", ICLR 2022, without its last step.
 * @param weights the channel, one kernel after the other
 * @param area weights of one kernel: height × width
 * @param bytes as long as `weights`; is filled
 * @returns the size of one step
 */
export function roundWeights(weights: Float32Array, area: number, bytes: Int8Array): number {
  const { abs, max, round } = Math;
  let most = 0;
  // millions of weights: plain loops, and nothing is allocated in them
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
  /** −1: the sum of the kernel's weights is too large. */
  readonly sign: -1 | 1;
}

/** Moves the weight of a kernel by one step that is nearest to being rounded so. */
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

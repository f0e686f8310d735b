import { CLASS_IDS } from '../types.ts';

/** Classes that are one object to us: one car must not come back as a car and a truck. */
const RIVALS = Uint8Array.from({ length: 80 }, (_, classId) =>
  CLASS_IDS.vehicle.includes(classId) ? CLASS_IDS.vehicle[0]! : classId,
);

/**
 * Boxes that a decoder found, before suppression, in preallocated columns. Pixels of the model's input;
 * index i is one candidate.
 */
export class Candidates {
  count = 0;
  readonly left: Float32Array;
  readonly top: Float32Array;
  readonly right: Float32Array;
  readonly bottom: Float32Array;
  readonly score: Float32Array;
  readonly classId: Uint8Array;

  /** @param capacity the model's anchors: no frame can give more */
  constructor(capacity: number) {
    this.left = new Float32Array(capacity);
    this.top = new Float32Array(capacity);
    this.right = new Float32Array(capacity);
    this.bottom = new Float32Array(capacity);
    this.score = new Float32Array(capacity);
    this.classId = new Uint8Array(capacity);
  }
}

/** Beyond this many candidates the weakest are not looked at: a bound on the time of a crowded frame. */
const MOST = 1000;

/**
 * Greedy non-maximum suppression, class by class (vehicles are one): the strongest box stays, boxes of its
 * class that overlap it by more than `maxIou` go. People in a queue stand before each other, so `maxIou` must
 * not be low.
 * @returns indices into `candidates`, strongest first
 */
export function suppress(candidates: Candidates, maxIou: number): number[] {
  const { left, top, right, bottom, score, classId, count } = candidates;
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => score[b]! - score[a]! || a - b);
  if (order.length > MOST) order.length = MOST;
  const kept: number[] = [];
  for (const i of order) {
    const area = (right[i]! - left[i]!) * (bottom[i]! - top[i]!);
    const covered = kept.some((k) => {
      if (RIVALS[classId[k]!] !== RIVALS[classId[i]!]) return false;
      const width = Math.min(right[k]!, right[i]!) - Math.max(left[k]!, left[i]!);
      const height = Math.min(bottom[k]!, bottom[i]!) - Math.max(top[k]!, top[i]!);
      if (width <= 0 || height <= 0) return false;
      const shared = width * height;
      const other = (right[k]! - left[k]!) * (bottom[k]! - top[k]!);
      return shared > maxIou * (area + other - shared);
    });
    if (!covered) kept.push(i);
  }
  return kept;
}

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
  /** Room to work in: those not decided yet. */
  readonly rest: Uint16Array;

  /** @param capacity rows of the model's outputs: no frame can give more */
  constructor(capacity: number) {
    this.left = new Float32Array(capacity);
    this.top = new Float32Array(capacity);
    this.right = new Float32Array(capacity);
    this.bottom = new Float32Array(capacity);
    this.score = new Float32Array(capacity);
    this.classId = new Uint8Array(capacity);
    this.rest = new Uint16Array(capacity);
  }
}

/** Boxes of one class that overlap by more are the same object whatever the scores. */
const SAME_OBJECT_IOU = 0.9;

export interface Suppression {
  /** From this overlap with a stronger box on, a box is doubted. */
  readonly doubtIou: number;
  /** 0-1: what falls below is left out. */
  readonly minScore: number;
}

/**
 * Soft suppression (Soft-NMS, arXiv 1704.04503), class by class (vehicles are one): the strongest box stays, boxes that
 * overlap it lose score in proportion. People in a queue stand before each other, and a detector likes to put one
 * strong box around two of them: their own boxes then must not vanish, but go on as unsure ones, which may carry on a
 * track and begin none. Lowers `candidates.score`.
 * @returns indices into `candidates`, strongest first; of equal ones the first
 */
export function suppress(candidates: Candidates, { doubtIou, minScore }: Suppression): number[] {
  const { score, classId, rest } = candidates;
  const kept: number[] = [];
  let left = 0;
  let next = -1;
  for (let i = 0; i < candidates.count; i++) {
    if (score[i]! < minScore) continue;
    if (next < 0 || score[i]! > score[next]!) next = i;
    rest[left++] = i;
  }
  while (next >= 0) {
    const strongest = next;
    const rival = RIVALS[classId[strongest]!];
    kept.push(strongest);
    const waiting = left;
    left = 0;
    next = -1;
    for (let at = 0; at < waiting; at++) {
      const i = rest[at]!;
      if (i === strongest) continue;
      const overlap = RIVALS[classId[i]!] === rival ? iou(candidates, strongest, i) : 0;
      if (overlap > SAME_OBJECT_IOU) continue;
      if (overlap > doubtIou) {
        score[i]! *= 1 - overlap;
        if (score[i]! < minScore) continue;
      }
      if (next < 0 || score[i]! > score[next]!) next = i;
      rest[left++] = i;
    }
  }
  return kept;
}

function iou({ left, top, right, bottom }: Candidates, a: number, b: number): number {
  const width = Math.min(right[a]!, right[b]!) - Math.max(left[a]!, left[b]!);
  const height = Math.min(bottom[a]!, bottom[b]!) - Math.max(top[a]!, top[b]!);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  const areaA = (right[a]! - left[a]!) * (bottom[a]! - top[a]!);
  const areaB = (right[b]! - left[b]!) * (bottom[b]! - top[b]!);
  return shared / (areaA + areaB - shared);
}

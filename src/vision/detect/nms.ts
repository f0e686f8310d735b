import { iou } from '../geometry.ts';
import { type Box, CLASS_IDS } from '../types.ts';

/** Classes that suppress each other: all vehicles do, as one car must not be a car and a truck. */
const RIVALS = Uint8Array.from({ length: 80 }, (_, classId) =>
  CLASS_IDS.vehicle.includes(classId) ? Math.min(...CLASS_IDS.vehicle) : classId,
);

/** Boxes of a decoder before suppression, in preallocated columns: index i is one box. Pixels of the model's input. */
export class Candidates {
  count = 0;
  readonly left: Float32Array;
  readonly top: Float32Array;
  readonly right: Float32Array;
  readonly bottom: Float32Array;
  readonly score: Float32Array;
  readonly classId: Uint8Array;
  /** Work space of `suppress`: the boxes that are not decided yet. */
  readonly rest: Uint16Array;

  /** @param capacity rows of the model's outputs: no frame has more */
  constructor(capacity: number) {
    this.left = new Float32Array(capacity);
    this.top = new Float32Array(capacity);
    this.right = new Float32Array(capacity);
    this.bottom = new Float32Array(capacity);
    this.score = new Float32Array(capacity);
    this.classId = new Uint8Array(capacity);
    this.rest = new Uint16Array(capacity);
  }

  add({ left, top, right, bottom }: Box, score: number, classId: number): void {
    const i = this.count++;
    this.left[i] = left;
    this.top[i] = top;
    this.right[i] = right;
    this.bottom[i] = bottom;
    this.score[i] = score;
    this.classId[i] = classId;
  }

  boxAt(i: number): Box {
    return { left: this.left[i]!, top: this.top[i]!, right: this.right[i]!, bottom: this.bottom[i]! };
  }
}

/** Boxes of one class with a larger overlap are the same object whatever their scores. */
const SAME_OBJECT_IOU = 0.9;

export interface Suppression {
  /** Above this overlap with a stronger box, a box loses score. */
  readonly doubtIou: number;
  /** 0-1: boxes below it are left out. */
  readonly minScore: number;
}

/**
 * Soft suppression (Soft-NMS, arXiv 1704.04503), class by class: the strongest box stays, and boxes that overlap it lose
 * score in proportion. People in a queue cover each other, and a detector often puts one strong box around two of them.
 * Their own boxes must not vanish then: as unsure detections they may continue a track, but not begin one.
 * Lowers `candidates.score`.
 * @returns indices into `candidates`, strongest first; of equal ones the first
 */
export function suppress(candidates: Candidates, { doubtIou, minScore }: Suppression): number[] {
  const { score, classId, rest } = candidates;
  const kept: number[] = [];
  let left = 0;
  let next = -1;
  for (let i = 0; i < candidates.count; i++) {
    const own = score[i]!;
    if (own < minScore) continue;
    if (next < 0 || own > score[next]!) next = i;
    rest[left++] = i;
  }
  while (next >= 0) {
    const strongest = next;
    const rival = RIVALS[classId[strongest]!];
    const box = candidates.boxAt(strongest);
    kept.push(strongest);
    const waiting = left;
    left = 0;
    next = -1;
    for (let at = 0; at < waiting; at++) {
      const i = rest[at]!;
      if (i === strongest) continue;
      const overlap = RIVALS[classId[i]!] === rival ? iou(box, candidates.boxAt(i)) : 0;
      if (overlap > SAME_OBJECT_IOU) continue;
      let own = score[i]!;
      if (overlap > doubtIou) {
        // As the column keeps it.
        own = Math.fround(own * (1 - overlap));
        score[i] = own;
        if (own < minScore) continue;
      }
      if (next < 0 || own > score[next]!) next = i;
      rest[left++] = i;
    }
  }
  return kept;
}

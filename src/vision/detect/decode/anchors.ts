import type { Candidates } from '../nms.ts';

/** A cell of a stride's grid. Pixels of the model's input. */
interface Anchor {
  /** Its left top corner. */
  readonly x: number;
  readonly y: number;
  /** Its side. */
  readonly stride: number;
}

/** The anchors of a model: the cells of each stride's grid, row by row, strides in order. */
export const makeAnchors = (width: number, height: number, strides: readonly number[]): Anchor[] =>
  strides.flatMap((stride) => {
    const columns = Math.ceil(width / stride);
    const count = columns * Math.ceil(height / stride);
    return Array.from({ length: count }, (_, at) => ({
      x: (at % columns) * stride,
      y: Math.floor(at / columns) * stride,
      stride,
    }));
  });

/** What every decoder reads: the anchor of each row of the outputs, strongest first, and the classes of the scores. */
export interface AnchorRows {
  readonly rows: Int32Array;
  readonly anchors: readonly Anchor[];
  readonly classIds: readonly number[];
}

/** Reads the outputs of one frame. @param minScore raw score */
export type Decode = (minScore: number, candidates: Candidates) => void;

/** The largest of the class scores of one row after the other, so that a row allocates nothing. */
export class StrongestClass {
  classId = -1;
  score = 0;
  readonly #scores: Float32Array;
  readonly #classIds: readonly number[];

  constructor(scores: Float32Array, classIds: readonly number[]) {
    this.#scores = scores;
    this.#classIds = classIds;
  }

  /** @param from where the scores of the row begin @returns false if all are below `least` */
  find(from: number, least: number): boolean {
    this.classId = -1;
    this.score = least;
    let at = from;
    for (const classId of this.#classIds) {
      const score = this.#scores[at++]!;
      if (score >= this.score) {
        this.score = score;
        this.classId = classId;
      }
    }
    return this.classId >= 0;
  }
}

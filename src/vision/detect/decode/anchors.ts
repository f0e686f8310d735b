import type { Candidates } from '../nms.ts';

/** The anchors of a model: the cells of each stride's grid, row by row, strides in order. */
export interface Anchors {
  readonly count: number;
  /** Left top corner of the cell, pixels of the model's input. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Side of the cell, pixels. */
  readonly stride: Float32Array;
}

export function makeAnchors(width: number, height: number, strides: readonly number[]): Anchors {
  const cells = strides.flatMap((stride) => {
    const columns = Math.ceil(width / stride);
    const count = columns * Math.ceil(height / stride);
    return Array.from({ length: count }, (_, at) => ({
      row: Math.floor(at / columns),
      column: at % columns,
      stride,
    }));
  });
  return {
    count: cells.length,
    x: Float32Array.from(cells, ({ column, stride }) => column * stride),
    y: Float32Array.from(cells, ({ row, stride }) => row * stride),
    stride: Float32Array.from(cells, ({ stride }) => stride),
  };
}

/** What every decoder reads: the anchor of each row of the outputs, strongest first, and the classes of the scores. */
export interface AnchorRows {
  readonly rows: Int32Array;
  readonly anchors: Anchors;
  readonly classIds: readonly number[];
}

/** Reads the outputs of one frame. @param minScore raw score */
export type Decode = (minScore: number, candidates: Candidates) => void;

/** The index of the largest of the class scores of one row; -1 if all are below `least`. */
export function strongestClass(scores: Float32Array, from: number, count: number, least: number): number {
  let best = least;
  let bestClass = -1;
  for (let c = 0; c < count; c++) {
    if (scores[from + c]! >= best) {
      best = scores[from + c]!;
      bestClass = c;
    }
  }
  return bestClass;
}

import { legsOf, torsoOf } from '../body.ts';
import type { Appearance, Box } from '../types.ts';

/** The frame at a small size, an output of the detector's graph: three planes of `rows` × `columns`, RGB 0-255. */
export interface SmallFrame {
  readonly data: Uint8Array;
  readonly columns: number;
  readonly rows: number;
}

/** Mean colours of torso and legs in one box. @param box in pixels of `frame` */
export function appearanceOf(frame: SmallFrame, box: Box): Appearance {
  const appearance = new Array<number>(6).fill(0);
  writeMean(frame, torsoOf(box), appearance, 0);
  writeMean(frame, legsOf(box), appearance, 3);
  return appearance;
}

function writeMean({ data, columns, rows }: SmallFrame, part: Box, appearance: number[], at: number): void {
  const left = clamp(Math.floor(part.left), columns);
  const right = Math.max(left, clamp(Math.ceil(part.right) - 1, columns));
  const top = clamp(Math.floor(part.top), rows);
  const bottom = Math.max(top, clamp(Math.ceil(part.bottom) - 1, rows));
  const pixels = (right - left + 1) * (bottom - top + 1);
  for (let channel = 0; channel < 3; channel++) {
    let sum = 0;
    for (let y = top; y <= bottom; y++) {
      const row = (channel * rows + y) * columns;
      for (let x = left; x <= right; x++) sum += data[row + x]!;
    }
    appearance[at + channel] = sum / pixels;
  }
}

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

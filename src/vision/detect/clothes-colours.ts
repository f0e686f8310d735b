import { legsOf, torsoOf } from '../body.ts';
import type { Appearance, Box } from '../types.ts';

/** The small picture that the graph gives beside its boxes: three planes of `rows` × `columns`, RGB 0-255. */
export interface ColourPicture {
  readonly data: Uint8Array;
  readonly columns: number;
  readonly rows: number;
}

/** Mean colours of the two parts of one box. @param box in cells of the picture */
export function appearanceOf(picture: ColourPicture, box: Box): Appearance {
  const appearance = new Array<number>(6).fill(0);
  addMean(picture, torsoOf(box), { appearance, at: 0 });
  addMean(picture, legsOf(box), { appearance, at: 3 });
  return appearance;
}

function addMean(
  { data, columns, rows }: ColourPicture,
  part: Box,
  { appearance, at }: { appearance: number[]; at: number },
): void {
  const left = clamp(Math.floor(part.left), columns);
  const right = Math.max(left, clamp(Math.ceil(part.right) - 1, columns));
  const top = clamp(Math.floor(part.top), rows);
  const bottom = Math.max(top, clamp(Math.ceil(part.bottom) - 1, rows));
  const cells = (right - left + 1) * (bottom - top + 1);
  for (let channel = 0; channel < 3; channel++) {
    let sum = 0;
    for (let y = top; y <= bottom; y++) {
      const row = (channel * rows + y) * columns;
      for (let x = left; x <= right; x++) sum += data[row + x]!;
    }
    appearance[at + channel] = sum / cells;
  }
}

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

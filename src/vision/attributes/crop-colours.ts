import { type Lab, labOf } from './colour.ts';

/** The pixels of a crop as a network sees them: three planes R, G, B of `height` × `width`, 0-255. */
export interface CropPixels {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Pixels of the crop. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The mean colour of 3 × 3 pixels around a point; null outside the crop. */
export function colourAt({ data, width, height }: CropPixels, x: number, y: number): Lab | null {
  const [column, row] = [Math.round(x), Math.round(y)];
  if (column < 1 || row < 1 || column > width - 2 || row > height - 2) return null;
  const mean = (channel: number) => {
    let sum = 0;
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) sum += data[(channel * height + row + dy) * width + column + dx]!;
    return sum / 9;
  };
  return labOf([mean(0), mean(1), mean(2)]);
}

export function coloursAt(crop: CropPixels, points: readonly Point[]): Lab[] {
  return points.map(({ x, y }) => colourAt(crop, x, y)).filter((colour) => colour !== null);
}

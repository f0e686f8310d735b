import type { Letterbox } from '../../vision/types.ts';

/** Points looked at, in rows and columns. */
const ROWS = 32;
const COLUMNS = 32;
/** Of 256. Sensor noise in the dark and the falling light at a covered lens stay below, any room above. */
const LEAST_CONTRAST = 16;
/** Share of the points, darkest and brightest, that do not count: a clock written into the picture is no view. */
const LEFT_OUT = 0.05;

/** A model's input, as of a frame. */
export interface ModelPicture {
  /** rgb24, letterboxed. */
  readonly model: Uint8Array;
  readonly letterbox: Letterbox;
}

const histogram = new Uint16Array(256);

/** Whether there is anything to see in a picture: a covered lens or a dark room gives one colour. Some microseconds. */
export function hasContent({ model, letterbox }: ModelPicture): boolean {
  const { inputWidth, contentWidth, contentHeight } = letterbox;
  histogram.fill(0);
  for (let row = 0; row < ROWS; row++) {
    const y = Math.floor(((row + 0.5) * contentHeight) / ROWS);
    for (let column = 0; column < COLUMNS; column++) {
      const x = Math.floor(((column + 0.5) * contentWidth) / COLUMNS);
      // green says nearly as much as all three
      histogram[model[(y * inputWidth + x) * 3 + 1]!]!++;
    }
  }
  const leftOut = Math.round(ROWS * COLUMNS * LEFT_OUT);
  return levelAt(ROWS * COLUMNS - 1 - leftOut) - levelAt(leftOut) >= LEAST_CONTRAST;
}

/** The level of the point of this rank, darkest first. */
function levelAt(rank: number): number {
  let level = 0;
  for (let below = histogram[0]!; below <= rank; below += histogram[++level]!);
  return level;
}

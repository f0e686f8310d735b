import type { Letterbox } from '../../vision/types.ts';

/** Points that are sampled. */
const ROWS = 32;
const COLUMNS = 32;
/** Of 256 levels. Sensor noise in the dark and a covered lens stay below, every room is above. */
const MIN_CONTRAST = 16;
/** Share of the darkest and of the brightest points that do not count: a clock drawn into the frame is no content. */
const LEFT_OUT = 0.05;

/** The model's input of a frame. */
export interface ModelInput {
  /** rgb24, letterboxed. */
  readonly model: Uint8Array;
  readonly letterbox: Letterbox;
}

const histogram = new Uint16Array(256);

/** Whether a frame shows anything. A covered lens or a dark room gives one colour. Takes microseconds. */
export function hasContent({ model, letterbox }: ModelInput): boolean {
  const { inputWidth, contentWidth, contentHeight } = letterbox;
  histogram.fill(0);
  for (let row = 0; row < ROWS; row++) {
    const y = Math.floor(((row + 0.5) * contentHeight) / ROWS);
    for (let column = 0; column < COLUMNS; column++) {
      const x = Math.floor(((column + 0.5) * contentWidth) / COLUMNS);
      // Green carries nearly as much contrast as all three channels.
      histogram[model[(y * inputWidth + x) * 3 + 1]!]!++;
    }
  }
  const leftOut = Math.round(ROWS * COLUMNS * LEFT_OUT);
  return levelAt(ROWS * COLUMNS - 1 - leftOut) - levelAt(leftOut) >= MIN_CONTRAST;
}

/** The level of the point with this rank, darkest first. */
function levelAt(rank: number): number {
  let [level, below] = [0, 0];
  for (const points of histogram) {
    below += points;
    if (below > rank) break;
    level += 1;
  }
  return level;
}

import type { FullFrame } from '../../vision/frame.ts';
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

/** A frame whose picture is watched. */
export interface WatchedFrame extends ModelInput {
  readonly full?: FullFrame | null;
}

/** The brightness of each pixel of a picture. */
export interface Brightness {
  readonly data: Uint8Array;
  /** Bytes from one pixel to the next, and of the first pixel. */
  readonly step: number;
  readonly first: number;
  /** Pixels from one row to the next. */
  readonly rowLength: number;
  readonly width: number;
  readonly height: number;
  /** Brings the levels to 0-255. */
  readonly scale: number;
}

/** Levels of video range, 16-235, to 0-255. */
const FROM_VIDEO_RANGE = 255 / 219;

/** The whole picture, where there is one: the model's input may show a part of it. A plain floor is no covered lens. */
export function brightnessOf({ model, letterbox, full }: WatchedFrame): Brightness {
  if (letterbox.region && full) {
    const { data, width, height } = full;
    return { data, step: 1, first: 0, rowLength: width, width, height, scale: FROM_VIDEO_RANGE };
  }
  const { inputWidth: rowLength, contentWidth: width, contentHeight: height } = letterbox;
  // Green carries nearly as much contrast as all three channels.
  return { data: model, step: 3, first: 1, rowLength, width, height, scale: 1 };
}

const histogram = new Uint16Array(256);

/** Whether a frame shows anything. A covered lens or a dark room gives one colour. Takes microseconds. */
export function hasContent(input: WatchedFrame): boolean {
  const { data, step, first, rowLength, width, height, scale } = brightnessOf(input);
  histogram.fill(0);
  for (let row = 0; row < ROWS; row++) {
    const y = Math.floor(((row + 0.5) * height) / ROWS);
    for (let column = 0; column < COLUMNS; column++) {
      const x = Math.floor(((column + 0.5) * width) / COLUMNS);
      histogram[data[(y * rowLength + x) * step + first]!]!++;
    }
  }
  const leftOut = Math.round(ROWS * COLUMNS * LEFT_OUT);
  return levelAt(ROWS * COLUMNS - 1 - leftOut) - levelAt(leftOut) >= MIN_CONTRAST / scale;
}

/** The level of the point with this rank, darkest first. */
function levelAt(rank: number): number {
  let level = 0;
  for (let below = histogram[0]!; below <= rank; below += histogram[++level]!);
  return level;
}

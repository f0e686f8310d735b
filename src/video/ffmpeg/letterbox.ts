import type { Letterbox, Region } from '../../vision/types.ts';

/** A part of a frame, in pixels as a viewer sees them. All numbers are even, because most streams halve their colours. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Size of the frame. */
  readonly of: { readonly width: number; readonly height: number };
}

/** A smaller part holds nobody who could be recognised. */
const LEAST_SIDE = 32;

/**
 * The pixels of a region: all that it touches, so that it never becomes smaller.
 * @returns null when these are the whole frame
 */
export function cropOf(frame: { width: number; height: number }, region: Region | undefined): Crop | null {
  if (!region) return null;
  const across = evenSpan(region.left, region.width, frame.width);
  const down = evenSpan(region.top, region.height, frame.height);
  if (across.length === frame.width && down.length === frame.height) return null;
  const { width, height } = frame;
  return { x: across.from, y: down.from, width: across.length, height: down.length, of: { width, height } };
}

function evenSpan(from: number, share: number, size: number): { from: number; length: number } {
  // A hair less, so that a share of exactly so many pixels does not become two more.
  const start = Math.max(0, 2 * Math.floor((from * size) / 2 + 1e-6));
  const end = Math.min(size, 2 * Math.ceil(((from + share) * size) / 2 - 1e-6));
  const length = Math.min(size, Math.max(LEAST_SIDE, end - start));
  // At the far edge of a frame of an odd size there may be one pixel more, which an even crop does not reach.
  const isWhole = length >= size - 1 && start === 0;
  if (isWhole) return { from: 0, length: size };
  const even = length - (length % 2);
  return { from: Math.max(0, Math.min(start, 2 * Math.floor((size - even) / 2))), length: even };
}

/** How the model sees a frame of which it gets `crop`, or the whole. */
export function letterboxOf(
  frame: { width: number; height: number },
  crop: Crop | null,
  { inputWidth, inputHeight }: { inputWidth: number; inputHeight: number },
): Letterbox {
  if (!crop) return fitLetterbox(frame, inputWidth, inputHeight);
  return {
    ...fitLetterbox(crop, inputWidth, inputHeight),
    region: {
      left: crop.x / frame.width,
      top: crop.y / frame.height,
      width: crop.width / frame.width,
      height: crop.height / frame.height,
    },
  };
}

/** The largest size with the frame's aspect that fits the model's input. Sizes in pixels. */
export function fitLetterbox(
  frame: { width: number; height: number },
  inputWidth: number,
  inputHeight: number,
): Letterbox {
  const scale = Math.min(inputWidth / frame.width, inputHeight / frame.height);
  const scaled = (size: number, limit: number) => Math.min(limit, Math.max(1, Math.round(size * scale)));
  return {
    inputWidth,
    inputHeight,
    contentWidth: scaled(frame.width, inputWidth),
    contentHeight: scaled(frame.height, inputHeight),
  };
}

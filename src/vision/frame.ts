import type { Letterbox } from './types.ts';

/** How a picture's colours are coded, as its stream says; streams that do not say mean BT.601 to ffmpeg. */
export type ColourMatrix = 'bt601' | 'bt709';

/** A picture for people: planar yuv420p (Y, then U, then V at half size each way), even sizes. */
export interface Picture {
  /** Number of its frame. */
  readonly index: number;
  readonly timeMs: number;
  readonly width: number;
  readonly height: number;
  readonly colourMatrix: ColourMatrix;
  /** `width * height * 3 / 2` bytes, video range (Y 16-235). */
  readonly data: Uint8Array;
}

/** One moment of a camera. Its buffers are valid until the source is asked for the next frame. */
export interface Frame {
  /** Counts from 0 over the source's whole life; dropped frames leave holes. */
  readonly index: number;
  /** Live: arrival by the source's clock, strictly increasing. File: presentation time. */
  readonly timeMs: number;
  /** rgb24, `inputWidth * inputHeight * 3` bytes, letterboxed as `letterbox` says. */
  readonly model: Uint8Array;
  readonly letterbox: Letterbox;
  readonly picture: Picture | null;
  /** It came damaged, or was made out of one that did: what is seen in it means nothing. */
  readonly isDamaged: boolean;
  /**
   * Leaves the picture's buffer to the caller, also beyond the next frame. The source goes on with `spare`, of the same
   * length and read by nobody any more, or with a new one.
   */
  readonly keepPicture: (spare: Uint8Array | null) => void;
}

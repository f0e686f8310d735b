import type { Letterbox } from './types.ts';

/** How the colours of a frame are coded, as its camera stream says; ffmpeg takes a stream that does not say for BT.601. */
export type ColourMatrix = 'bt601' | 'bt709';

/** A frame at full size: planar yuv420p (Y, then U, then V at half size each way), even sizes. */
export interface FullFrame {
  readonly index: number;
  readonly timeMs: number;
  readonly width: number;
  readonly height: number;
  readonly colourMatrix: ColourMatrix;
  /** `width * height * 3 / 2` bytes, video range (Y 16-235). */
  readonly data: Uint8Array;
}

/** One decoded picture of a camera. Its buffers are valid until the source is asked for the next frame. */
export interface Frame {
  /** Counts from 0 over the source's whole life; dropped frames leave holes. */
  readonly index: number;
  /** Live: arrival by the source's clock, strictly increasing. File: presentation time. */
  readonly timeMs: number;
  /** rgb24, `inputWidth * inputHeight * 3` bytes, letterboxed as `letterbox` says. */
  readonly model: Uint8Array;
  readonly letterbox: Letterbox;
  /** For images and crops; null where the source makes none. */
  readonly full: FullFrame | null;
  /** The frame, or one that it was predicted from, arrived damaged: it must not be analysed. */
  readonly isDamaged: boolean;
  /**
   * Gives the buffer of `full` to the caller, also beyond the next frame. The source continues with `spare`, a buffer of
   * the same length that nobody reads any more, or with a new one.
   */
  readonly keepFull: (spare: Uint8Array | null) => void;
}

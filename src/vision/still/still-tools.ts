import type { NetworkSize } from '../detect/detector.ts';
import type { Detection, Letterbox } from '../types.ts';

/** Pixels along one side of a cell. */
export const BRIGHTNESS_CELL = 8;

/** The sum of a cell for one level of brightness (0-255): four weights for each of its pixels. It fits into 16 bits. */
export const SUM_OF_LEVEL = 4 * BRIGHTNESS_CELL * BRIGHTNESS_CELL;

/** Adds up the brightness of frames of one size by square cells. */
export interface BrightnessCells {
  /** Number of cells, row by row. */
  readonly count: number;
  /**
   * @param pixels rgb24 of a whole frame
   * @returns the sums, 0-65,280; overwritten by the next call
   */
  of(pixels: Uint8Array): Promise<Int32Array>;
  release(): Promise<void>;
}

/** Looks at a whole frame with the smallest network of a detector, for less and less sharply. */
export interface Glance {
  /** Of the network. */
  readonly size: NetworkSize;
  /** @param pixels rgb24 of a whole frame @returns as `Detector.detect` */
  at(pixels: Uint8Array, letterbox: Letterbox, minScore: number): Promise<Detection[]>;
  release(): Promise<void>;
}

/** What the cameras of a lane need to skip frames. */
export interface StillTools {
  readonly brightness: BrightnessCells;
  /** Null for a detector of one size. */
  readonly glance: Glance | null;
}

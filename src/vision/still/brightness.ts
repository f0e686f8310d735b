/** Pixels along one side of a cell. */
export const BRIGHTNESS_CELL = 8;

/** The sum of a cell for one level of brightness (0-255): four weights for each of its pixels. It fits into 16 bits. */
export const SUM_OF_LEVEL = 4 * BRIGHTNESS_CELL * BRIGHTNESS_CELL;

/** Adds up the brightness of frames of one size by square cells. */
export interface BrightnessCells {
  /** Number of cells, row by row. */
  readonly count: number;
  /** … of which in a row. */
  readonly columns: number;
  /**
   * @param pixels rgb24 of a whole frame
   * @returns the sums, 0-65,280; overwritten by the next call
   */
  of(pixels: Uint8Array): Promise<Int32Array>;
  release(): Promise<void>;
}

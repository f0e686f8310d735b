import { type BrightnessCells, SUM_OF_LEVEL } from './brightness.ts';

type Grid = Pick<BrightnessCells, 'count' | 'columns'>;

/** Levels of brightness (0-255) by which one cell has to differ, in a camera without noise. */
const LEAST_LEVELS = 5;
/** … and how many times the noise of that cell. */
const NOISE_FACTOR = 4;
/** A cell never has to differ by more: a screen that flickers hides nobody in front of it. */
const MOST_LEVELS = 20;
/** Somebody who stands and sways changes a cell by this share of the contrast around it at most. */
const SWAY = 0.35;
/** Shares of a difference, as shifts, by which the noise of a cell grows and shrinks with each look. */
const GROWTH_SHIFT = 2;
const DECAY_SHIFT = 6;

/** A 0 or 1 for each cell. */
export type Cells = Uint8Array;

/** The state of a watch, as plain data. */
export interface ChangeCheckpoint {
  /** Base64 of 16-bit integers; the reference is null where there is none. */
  readonly reference: string | null;
  readonly noise: string;
}

/**
 * Notices that a picture differs from the last one at which the detector has looked. It compares brightness cell by cell,
 * because a mean over the picture would hide a small person, and each cell with its own noise, because noise differs by
 * camera, by light and within a picture (leaves, screens, key frames).
 */
export class ChangeWatch {
  readonly #reference: Uint16Array;
  readonly #noise: Uint16Array;
  readonly #columns: number;
  #hasReference = false;

  /** @param grid of the cells @param known from `checkpoint()`, with as many cells */
  constructor({ count, columns }: Grid, known: ChangeCheckpoint | null = null) {
    this.#columns = columns;
    this.#reference = new Uint16Array(count);
    this.#noise = new Uint16Array(count).fill(SUM_OF_LEVEL);
    if (!known) return;
    const hasNoise = readInto(this.#noise, known.noise);
    this.#hasReference = hasNoise && known.reference !== null && readInto(this.#reference, known.reference);
  }

  /**
   * @param matters whether a cell counts; null: all do
   * @param swaying whether somebody who stands may be there: a sway changes a cell by a share of the contrast around it
   * @returns whether any cell has changed, also where there is nothing to compare with
   */
  hasChanged(sums: ArrayLike<number>, matters: Cells | null = null, swaying: Cells | null = null): boolean {
    if (!this.#hasReference) return true;
    for (let cell = 0; cell < this.#noise.length; cell++) {
      if (matters && matters[cell] === 0) continue;
      const limit = NOISE_FACTOR * this.#noise[cell]!;
      const difference = this.#differenceAt(cell, sums);
      if (difference <= LEAST_LEVELS * SUM_OF_LEVEL) continue;
      if (difference <= limit && difference <= MOST_LEVELS * SUM_OF_LEVEL) continue;
      if (!swaying || swaying[cell] === 0 || difference > SWAY * this.#contrastAt(cell)) return true;
    }
    return false;
  }

  #differenceAt(cell: number, sums: ArrayLike<number>): number {
    return Math.abs(sums[cell]! - this.#reference[cell]!);
  }

  /** The largest difference to a neighbour, in the picture at which the detector has looked. */
  #contrastAt(cell: number): number {
    const here = this.#reference[cell]!;
    let most = 0;
    for (const neighbour of [cell - 1, cell + 1, cell - this.#columns, cell + this.#columns]) {
      const there = this.#reference[neighbour];
      if (there !== undefined) most = Math.max(most, Math.abs(there - here));
    }
    return most;
  }

  /**
   * The detector has looked at this picture: later ones are compared with it.
   * @param occupied cells near somebody who was found now or the time before, 0 or 1; elsewhere, what differs from the picture
   *   before is noise
   */
  looked(sums: ArrayLike<number>, occupied: Cells): void {
    if (this.#hasReference) this.#learn(sums, occupied);
    this.#reference.set(sums);
    this.#hasReference = true;
  }

  /** The next picture counts as changed. */
  forget(): void {
    this.#hasReference = false;
  }

  checkpoint(): ChangeCheckpoint {
    return { reference: this.#hasReference ? textOf(this.#reference) : null, noise: textOf(this.#noise) };
  }

  #learn(sums: ArrayLike<number>, occupied: Cells): void {
    for (let cell = 0; cell < this.#noise.length; cell++) {
      if (occupied[cell] !== 0) continue;
      const noise = this.#noise[cell]!;
      const difference = Math.min(MOST_LEVELS * SUM_OF_LEVEL, this.#differenceAt(cell, sums));
      this.#noise[cell] =
        difference > noise
          ? noise + ((difference - noise) >> GROWTH_SHIFT)
          : noise - ((noise - difference) >> DECAY_SHIFT);
    }
  }
}

const textOf = (values: Uint16Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

/** @returns false, and leaves what was there, for another number of cells: the model has changed */
function readInto(values: Uint16Array, text: string): boolean {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  if (bytes.length !== values.byteLength) return false;
  values.set(new Uint16Array(bytes.buffer));
  return true;
}

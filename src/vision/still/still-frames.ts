import type { Frame } from '../frame.ts';
import type { Box, Detection, Letterbox } from '../types.ts';
import type { BrightnessCells } from './brightness.ts';
import { type Cells, type ChangeCheckpoint, ChangeWatch } from './change-watch.ts';
import { around, markCells } from './places.ts';

/** While nothing changes the detector glances so often, with its smallest network … */
const GLANCE_MS = 1_000;
/** … and looks so often, with the usual one. */
const LOOK_MS = 5_000;
/** After a change it looks at every frame for so long … */
const AFTER_CHANGE_MS = 1_000;
/** … and where somebody is followed for so long: who has just come must be found even if one look misses them. */
const AFTER_CHANGE_BESIDE_MS = 300;
/** After so many changes in a row beside people … */
const MANY_CHANGES = 10;
/** … frames are not even compared for so long: where people walk about, that would be in vain. */
const RESTLESS_MS = 1_000;
/** Frames do not come to the millisecond. */
const EARLY_MS = 50;

/** The state of skipping, as plain data. */
export interface StillCheckpoint {
  readonly changes: ChangeCheckpoint;
  /** Null: never. */
  readonly lookedMs: number | null;
  readonly glancedMs: number | null;
  readonly changedMs: number | null;
  readonly isAlmostSure: boolean;
  /** This and all that follows is missing in what older versions stored. */
  readonly wasFollowed?: boolean;
  readonly changesInARow?: number;
  readonly restlessMs?: number | null;
  /** What the last look found, for frames that show the same. */
  readonly found?: readonly Detection[] | null;
}

/** People who are followed. */
export interface Followed {
  /** How long what was found holds while nothing changes; 0: not at all. */
  readonly restMs: number;
  /** Where somebody could come in: elsewhere, and not near what was found, a change does not matter. */
  readonly entrances: readonly Box[];
}

/** How to look at one frame, and what for. */
export interface Looking {
  /** Boxes of this very frame are needed. */
  readonly mustLook: boolean;
  /** Read only where what was found may hold. Null where nobody is followed and no visit is open. */
  readonly followed: (() => Followed) | null;
  /** Whether the detections hold somebody of whom the next frame may be sure. */
  readonly isAlmostSure: (detections: readonly Detection[]) => boolean;
  readonly detect: () => Promise<Detection[]>;
  /** Looks less sharply at all of the frame, for less; null where `detect` costs as little. */
  readonly glance: (() => Promise<Detection[]>) | null;
}

/** What is known of the people in a frame. */
export interface Look {
  readonly detections: readonly Detection[];
  /** They are those of the last look, since which nothing has changed near them and where somebody could come in. */
  readonly isHeld: boolean;
}

/**
 * Spares the detector frames of one camera in which nothing has changed since it looked: where it found nobody they are skipped,
 * where it found somebody the same detections hold for a while. Times are frame times.
 */
export class StillFrames {
  readonly #brightness: BrightnessCells;
  readonly #holdsPeople: boolean;
  readonly #changes: ChangeWatch;
  #lookedMs: number | null = null;
  #glancedMs: number | null = null;
  #changedMs: number | null = null;
  #isAlmostSure = false;
  #wasFollowed = false;
  #changesInARow = 0;
  #restlessMs: number | null = null;
  /** What the last look found, where somebody is followed or nearly sure. */
  #found: readonly Detection[] | null = null;

  /**
   * @param options.holdsPeople whether detections of people may hold; otherwise the detector looks at each frame with somebody
   * @param known from `checkpoint()` of an earlier one, which this one continues without any difference
   */
  constructor(
    brightness: BrightnessCells,
    { holdsPeople, known = null }: { holdsPeople: boolean; known?: StillCheckpoint | null | undefined },
  ) {
    this.#brightness = brightness;
    this.#holdsPeople = holdsPeople;
    this.#changes = new ChangeWatch(brightness, known?.changes);
    if (!known) return;
    this.#lookedMs = known.lookedMs;
    this.#glancedMs = known.glancedMs;
    this.#changedMs = known.changedMs;
    this.#isAlmostSure = known.isAlmostSure;
    this.#found = known.found ?? null;
    this.#wasFollowed = known.wasFollowed ?? false;
    this.#changesInARow = known.changesInARow ?? 0;
    this.#restlessMs = known.restlessMs ?? null;
  }

  /** @returns null: the frame was skipped, because nothing has changed and nobody is there */
  async look(
    frame: Pick<Frame, 'model' | 'timeMs' | 'letterbox'>,
    { mustLook, followed, isAlmostSure, detect, glance }: Looking,
  ): Promise<Look | null> {
    const { timeMs } = frame;
    const mayHold = this.#holdsPeople && isDue(timeMs, this.#restlessMs, RESTLESS_MS);
    if (mustLook || (followed && !mayHold)) {
      this.forget();
      return { detections: await detect(), isHeld: false };
    }
    // Whoever has left may be followed by somebody else.
    if (this.#wasFollowed && !followed) this.forget();
    this.#wasFollowed = followed !== null;
    const sums = await this.#brightness.of(frame.model);
    if (followed) {
      const found = this.#stillThere(sums, frame, followed());
      if (found) {
        this.#changesInARow = 0;
        return { detections: found, isHeld: true };
      }
    } else if (!this.#mustLook(sums, timeMs)) {
      if (!isDue(timeMs, this.#glancedMs, GLANCE_MS)) return null;
      this.#glancedMs = timeMs;
      if (glance && !isAlmostSure(await glance())) return null;
    }
    const detections = await detect();
    this.#lookedMs = timeMs;
    this.#glancedMs = timeMs;
    this.#isAlmostSure = isAlmostSure(detections);
    this.#note(sums, followed || this.#isAlmostSure ? detections : null, frame);
    return { detections, isHeld: false };
  }

  /** The detector looks at the next frame, whatever it shows. */
  forget(): void {
    this.#changes.forget();
    this.#found = null;
  }

  checkpoint(): StillCheckpoint {
    return {
      changes: this.#changes.checkpoint(),
      ...{ lookedMs: this.#lookedMs, glancedMs: this.#glancedMs, changedMs: this.#changedMs },
      ...{ isAlmostSure: this.#isAlmostSure, wasFollowed: this.#wasFollowed, found: this.#found },
      ...{ changesInARow: this.#changesInARow, restlessMs: this.#restlessMs },
    };
  }

  /** @returns what the last look found, if it holds for this frame */
  #stillThere(
    sums: ArrayLike<number>,
    { timeMs, letterbox }: Pick<Frame, 'timeMs' | 'letterbox'>,
    { restMs, entrances }: Followed,
  ): readonly Detection[] | null {
    if (!this.#found) return null;
    const occupied = this.#cellsNear(this.#found, letterbox);
    const matters = occupied.slice();
    markCells(matters, entrances, letterbox, this.#brightness);
    if (this.#changes.hasChanged(sums, matters, occupied)) {
      this.#changedMs = timeMs;
      if (++this.#changesInARow >= MANY_CHANGES) this.#restlessMs = timeMs;
      return null;
    }
    const isSettled = isDue(timeMs, this.#changedMs, AFTER_CHANGE_BESIDE_MS);
    return isSettled && !isDue(timeMs, this.#lookedMs, restMs) ? this.#found : null;
  }

  #note(
    sums: ArrayLike<number>,
    found: readonly Detection[] | null,
    { letterbox }: Pick<Frame, 'letterbox'>,
  ): void {
    const nowOrBefore = [...(found ?? []), ...(this.#found ?? [])];
    this.#changes.looked(sums, this.#cellsNear(nowOrBefore, letterbox));
    this.#found = found;
  }

  #cellsNear(found: readonly Detection[], letterbox: Letterbox): Cells {
    const cells = new Uint8Array(this.#brightness.count);
    const aspect = letterbox.contentWidth / letterbox.contentHeight;
    const boxes = found.map(({ box }) => around(box, aspect));
    markCells(cells, boxes, letterbox, this.#brightness);
    return cells;
  }

  #mustLook(sums: ArrayLike<number>, timeMs: number): boolean {
    if (this.#changes.hasChanged(sums)) {
      this.#changedMs = timeMs;
      return true;
    }
    if (this.#isAlmostSure || !isDue(timeMs, this.#changedMs, AFTER_CHANGE_MS)) return true;
    return isDue(timeMs, this.#lookedMs, LOOK_MS);
  }
}

/** Also after a clock that went back. */
const isDue = (timeMs: number, sinceMs: number | null, everyMs: number): boolean =>
  sinceMs === null || timeMs < sinceMs || timeMs - sinceMs >= everyMs - EARLY_MS;

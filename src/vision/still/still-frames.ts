import type { Frame } from '../frame.ts';
import type { Detection } from '../types.ts';
import type { BrightnessCells } from './brightness.ts';
import { type ChangeCheckpoint, ChangeWatch } from './change-watch.ts';

/** While nothing changes the detector glances so often, with its smallest network … */
const GLANCE_MS = 1_000;
/** … and looks so often, with the usual one. */
const LOOK_MS = 5_000;
/** After a change it looks at every frame for so long. */
const AFTER_CHANGE_MS = 1_000;
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
}

/** How to look at one frame, and what for. */
export interface Looking {
  /** Somebody is followed or has an open visit, or boxes of this very frame are needed. */
  readonly mustLook: boolean;
  /** Whether the detections hold somebody of whom the next frame may be sure. */
  readonly isAlmostSure: (detections: readonly Detection[]) => boolean;
  readonly detect: () => Promise<Detection[]>;
  /** Looks less sharply at all of the frame, for less; null where `detect` costs as little. */
  readonly glance: (() => Promise<Detection[]>) | null;
}

/**
 * Skips frames of one camera in which nothing has changed since the detector looked and found nobody. Times are frame times.
 */
export class StillFrames {
  readonly #brightness: BrightnessCells;
  readonly #changes: ChangeWatch;
  #lookedMs: number | null = null;
  #glancedMs: number | null = null;
  #changedMs: number | null = null;
  #isAlmostSure = false;

  /** @param known from `checkpoint()` of an earlier one, which this one continues without any difference */
  constructor(brightness: BrightnessCells, known: StillCheckpoint | null = null) {
    this.#brightness = brightness;
    this.#changes = new ChangeWatch(brightness.count, known?.changes);
    if (!known) return;
    this.#lookedMs = known.lookedMs;
    this.#glancedMs = known.glancedMs;
    this.#changedMs = known.changedMs;
    this.#isAlmostSure = known.isAlmostSure;
  }

  /** @returns what the detector found; null: the frame was skipped, because nothing has changed */
  async look(
    { model, timeMs }: Pick<Frame, 'model' | 'timeMs'>,
    { mustLook, isAlmostSure, detect, glance }: Looking,
  ): Promise<readonly Detection[] | null> {
    if (mustLook) {
      this.forget();
      return detect();
    }
    const sums = await this.#brightness.of(model);
    if (!this.#mustLook(sums, timeMs)) {
      if (!isDue(timeMs, this.#glancedMs, GLANCE_MS)) return null;
      this.#glancedMs = timeMs;
      if (glance && !isAlmostSure(await glance())) return null;
    }
    const detections = await detect();
    this.#lookedMs = timeMs;
    this.#glancedMs = timeMs;
    this.#isAlmostSure = isAlmostSure(detections);
    this.#changes.looked(sums, !this.#isAlmostSure);
    return detections;
  }

  /** The detector looks at the next frame, whatever it shows. */
  forget(): void {
    this.#changes.forget();
  }

  checkpoint(): StillCheckpoint {
    return {
      changes: this.#changes.checkpoint(),
      ...{ lookedMs: this.#lookedMs, glancedMs: this.#glancedMs, changedMs: this.#changedMs },
      isAlmostSure: this.#isAlmostSure,
    };
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

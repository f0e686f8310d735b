import { iou } from '../geometry.ts';
import type { Box, EarlierBox } from '../types.ts';

/** An unsure detection that no track explains. */
export interface UnsureBox {
  readonly box: Box;
  /** Down to the feet, as far as they are known. */
  readonly body: Box;
}

interface TrailFrame {
  readonly timeMs: number;
  readonly boxes: readonly UnsureBox[];
}

/** The state of a trail, as plain data. */
export type TrailCheckpoint = readonly TrailFrame[];

/** The longest time between an unsure box and the first sure box of the same person. */
const SPAN_MS = 2_000;
/** The longest time without a box between two boxes of the same person. */
const GAP_MS = 600;
/** The least overlap of two boxes of the same person, one after the other. */
const LEAST_IOU = 0.5;

/**
 * Remembers unsure boxes for a while: a person who is detected surely at last was there before. Unsure boxes alone make no
 * person, because most that stay at one place are things.
 */
export class UnsureTrail {
  #frames: TrailFrame[];

  constructor(known: TrailCheckpoint = []) {
    this.#frames = [...known];
  }

  get checkpoint(): TrailCheckpoint {
    return this.#frames;
  }

  /** Call it once a frame, after `before`. */
  note(timeMs: number, boxes: readonly UnsureBox[]): void {
    this.#frames = this.#frames.filter((frame) => frame.timeMs >= timeMs - SPAN_MS);
    if (boxes.length > 0) this.#frames.push({ timeMs, boxes });
  }

  /** The frame shows the same as the one before. */
  hold(beforeMs: number, timeMs: number): void {
    const last = this.#frames.at(-1);
    this.note(timeMs, last?.timeMs === beforeMs ? last.boxes : []);
  }

  /** @param box of the first sure detection of an object @returns where it was before, the earliest first */
  before(box: Box, timeMs: number): readonly EarlierBox[] {
    const earlier: EarlierBox[] = [];
    let last = { box, timeMs };
    for (const frame of this.#frames.toReversed()) {
      if (last.timeMs - frame.timeMs > GAP_MS) break;
      let [best, overlap]: [UnsureBox | null, number] = [null, LEAST_IOU];
      for (const one of frame.boxes) {
        const shared = iou(one.box, last.box);
        if (shared >= overlap) [best, overlap] = [one, shared];
      }
      if (!best) continue;
      last = { box: best.box, timeMs: frame.timeMs };
      earlier.unshift({ box: best.body, timeMs: frame.timeMs });
    }
    return earlier;
  }
}

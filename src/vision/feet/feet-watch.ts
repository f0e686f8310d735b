import { AT_EDGE, height, intersection, width } from '../geometry.ts';
import type { Box, Detection, Track } from '../types.ts';
import { type Judgement, judgeBox, seesWholePeople } from './cut-box.ts';
import { StandingHeight, type StandingHeightCheckpoint } from './standing-height.ts';

/** The state of a watch, as plain data. */
export interface FeetCheckpoint {
  readonly standing: StandingHeightCheckpoint;
  /** By track, where its box was last learned from; only of an exact checkpoint, because ids of tracks begin anew otherwise. */
  readonly learned?: readonly (readonly [trackId: number, x: number, top: number])[];
}

/** A person teaches again after moving by so many heights, so that who stands behind a counter all day does not teach all day. */
const MOVED = 0.1;
/** Share of the strip below the feet, or of the lower half, that no other box may cover. */
const COVERED = 0.1;

interface Place {
  x: number;
  top: number;
}

/** Learns from the people of one scene where feet are, and finds them where they are hidden. One instance per scene. */
export class FeetWatch {
  readonly #standing: StandingHeight;
  readonly #learned: Map<number, Place>;
  readonly #judged = new Map<Detection, Judgement>();

  constructor(known: FeetCheckpoint | null = null) {
    this.#standing = new StandingHeight(known?.standing);
    this.#learned = new Map(known?.learned?.map(([id, x, top]) => [id, { x, top }]));
  }

  checkpoint(isExact: boolean): FeetCheckpoint {
    return {
      standing: this.#standing.checkpoint(isExact),
      ...(isExact && { learned: [...this.#learned].map(([id, { x, top }]) => [id, x, top] as const) }),
    };
  }

  /** @returns for each detection of which it knows something, until the next call; null where the camera sees no whole people */
  judge(detections: readonly Detection[], aspect: number): ReadonlyMap<Detection, Judgement> | null {
    this.#judged.clear();
    if (!seesWholePeople(this.#standing)) return null;
    for (const detection of detections) {
      const judgement = judgeBox(this.#standing, detection.box, aspect);
      if (judgement) this.#judged.set(detection, judgement);
    }
    return this.#judged;
  }

  /**
   * Learns from the people of a frame.
   * @param boxes of everything that may cover them
   * @param hasMoved whether the view is another one, so that all that was learned is wrong
   */
  learn(tracks: readonly Track[], boxes: readonly Box[], aspect: number, hasMoved: boolean): void {
    if (hasMoved) this.#standing.forget();
    for (const { id, box, feet } of tracks) {
      if (isCutByEdge(box) || isCovered(box, boxes)) continue;
      const x = (box.left + box.right) / 2;
      const last = this.#learned.get(id);
      if (last) {
        if (Math.hypot((x - last.x) * aspect, box.top - last.top) < MOVED * height(box)) continue;
        last.x = x;
        last.top = box.top;
      } else this.#learned.set(id, { x, top: box.top });
      if (feet === 'estimated') this.#standing.learnCut();
      else this.#standing.learn(box.top, height(box), width(box) * aspect);
    }
    if (this.#learned.size > 2 * tracks.length + MOST_FORGOTTEN) this.#keep(tracks);
  }

  #keep(tracks: readonly Track[]): void {
    const ids = new Set(tracks.map(({ id }) => id));
    for (const id of this.#learned.keys()) if (!ids.has(id)) this.#learned.delete(id);
  }
}

/** Tracks that ended are removed only now and then. */
const MOST_FORGOTTEN = 32;

const isCutByEdge = ({ left, top, right, bottom }: Box): boolean =>
  left <= AT_EDGE || top <= AT_EDGE || right >= 1 - AT_EDGE || bottom >= 1 - AT_EDGE;

/** Whether a nearer box covers a part of the legs, or the place below the feet. */
function isCovered(box: Box, others: readonly Box[]): boolean {
  const tall = height(box);
  const legs = { ...box, top: box.bottom - tall / 2, bottom: box.bottom + tall / 10 };
  const most = COVERED * width(legs) * height(legs);
  return others.some((other) => other.bottom > box.bottom + 0.02 * tall && intersection(other, legs) > most);
}

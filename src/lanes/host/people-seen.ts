import { type Box, CLASS_IDS, type Detection } from '../../vision/types.ts';

/** People who were seen so long before a frame are hidden in it too: the detector may miss them in single frames. */
const BEFORE_MS = 1_000;
/** Longer than the frames of a camera are kept for images. */
const KEEP_MS = 5_000;

interface SeenFrame {
  readonly index: number;
  readonly timeMs: number;
  readonly people: readonly Box[];
}

/** The boxes of people among detections of any score. */
export const peopleIn = (detections: readonly Detection[]): Box[] =>
  detections.filter(({ classId }) => CLASS_IDS.person.includes(classId)).map(({ box }) => box);

/** Where people were detected in the last analysed frames of a camera. */
export class PeopleSeen {
  /** Oldest first. */
  #frames: SeenFrame[] = [];

  /** The newest frame in which people were looked for, up to `lastIndex`; null when there is none. */
  newestIndex(lastIndex: number | null): number | null {
    return this.#frames.findLast(({ index }) => lastIndex === null || index <= lastIndex)?.index ?? null;
  }

  add({ index, timeMs }: { index: number; timeMs: number }, detections: readonly Detection[]): void {
    const isKept = (frame: SeenFrame) => frame.timeMs <= timeMs && timeMs - frame.timeMs <= KEEP_MS;
    this.#frames = [...this.#frames.filter(isKept), { index, timeMs, people: peopleIn(detections) }];
  }

  /** @returns the boxes in a frame and in the second before it; null when nobody looked for people in this frame */
  around(index: number): Box[] | null {
    const at = this.#frames.findIndex((frame) => frame.index === index);
    const frame = this.#frames[at];
    if (!frame) return null;
    return this.#frames
      .slice(0, at + 1)
      .filter(({ timeMs }) => frame.timeMs - timeMs <= BEFORE_MS)
      .flatMap(({ people }) => people);
  }
}

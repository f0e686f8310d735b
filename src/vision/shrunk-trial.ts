import { height, iou } from './geometry.ts';
import type { Detection, Letterbox } from './types.ts';

/** Least height of small people in the shrunk input, pixels: below, the smallest network finds clearly fewer. */
const LEAST_HEIGHT = 60;
/** Quantile of the heights that stands for small people. */
const SMALL = 0.05;
/** Heights and comparisons count from this number on; only the newest are kept. */
const LEAST_SIGHTINGS = 50;
const KEPT_SIGHTINGS = 200;
/** Largest share of the sure people whom the shrunk picture may not show. */
const MOST_MISSED = 0.02;
/** A person counts as found with this score, because the tracker follows people with less, in a box that overlaps as much. */
const FOUND_SCORE = 0.3;
const FOUND_IOU = 0.5;

/**
 * Finds out on the frames of a camera whether the smallest network, which sees all of the picture shrunk, finds the people in the
 * zones whom the largest one is sure of.
 */
export class ShrunkTrial {
  /** Of the newest sightings in the shrunk input, pixels. */
  #heights: number[] = [];
  /** Whether the newest people were found. */
  #found: boolean[] = [];
  #isPromising = false;
  #missed = 0;

  /** @param people sure detections of the largest network in the zones @param share height of the shrunk input in that of the whole */
  see(people: readonly Detection[], { contentHeight }: Letterbox, share: number): void {
    keep(
      this.#heights,
      people.map(({ box }) => height(box) * contentHeight * share),
    );
    this.#isPromising = isTall(this.#heights);
  }

  /** @param people as for `see` @param shrunk what the smallest network finds in the same frame */
  compare(people: readonly Detection[], shrunk: readonly Detection[]): void {
    const candidates = shrunk.filter(({ score }) => score >= FOUND_SCORE);
    keep(
      this.#found,
      people.map((person) =>
        candidates.some(
          ({ box, classId }) => classId === person.classId && iou(box, person.box) >= FOUND_IOU,
        ),
      ),
    );
    this.#missed = this.#found.filter((isFound) => !isFound).length;
  }

  /** Whether people are tall enough for a comparison to make sense. */
  get isPromising(): boolean {
    return this.#isPromising;
  }

  /** Whether enough people were compared to decide. */
  get isDecided(): boolean {
    return this.#found.length >= LEAST_SIGHTINGS;
  }

  /** Whether the smallest network is enough. */
  get passes(): boolean {
    return this.isDecided && this.#isPromising && this.#missed <= MOST_MISSED * this.#found.length;
  }
}

function isTall(heights: readonly number[]): boolean {
  if (heights.length < LEAST_SIGHTINGS) return false;
  return heights.filter((height) => height < LEAST_HEIGHT).length <= SMALL * heights.length;
}

function keep<Value>(values: Value[], added: readonly Value[]): void {
  values.push(...added);
  if (values.length > KEPT_SIGHTINGS) values.splice(0, values.length - KEPT_SIGHTINGS);
}
